// Tlogcheck reads a log as a stranger does: with Go's own sumdb/note and sumdb/tlog, from the files that tlog-tiles
// lays out. It opens the checkpoint with the verifier key, builds the tree of all entries again, finds each entry in its
// tile, and checks the proofs that it is given on its standard input.
//
//	tlogcheck DIR VKEY < proofs.json
package main

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// height is that of tlog-tiles; Go's database has it in the path, tlog-tiles has not.
const height = 8

type proofs struct {
	Inclusion   []inclusion   `json:"inclusion"`
	Consistency []consistency `json:"consistency"`
}

type inclusion struct {
	Index  int64    `json:"index"`
	Size   int64    `json:"size"`
	Root   string   `json:"root"`
	Leaf   string   `json:"leaf"`
	Hashes []string `json:"hashes"`
}

type consistency struct {
	Old     int64    `json:"old"`
	New     int64    `json:"new"`
	OldRoot string   `json:"oldRoot"`
	NewRoot string   `json:"newRoot"`
	Hashes  []string `json:"hashes"`
}

type report struct {
	Origin      string `json:"origin"`
	Size        int64  `json:"size"`
	Entries     int64  `json:"entries"`
	Inclusion   []bool `json:"inclusion"`
	Consistency []bool `json:"consistency"`
	Same        int    `json:"same"`
}

// directory reads the tiles of a log from its files.
type directory string

func (d directory) Height() int { return height }

func (d directory) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var found [][]byte
	for _, tile := range tiles {
		path := strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/", height), "tile/", 1)
		data, err := os.ReadFile(filepath.Join(string(d), filepath.FromSlash(path)))
		if err != nil {
			return nil, err
		}
		found = append(found, data)
	}
	return found, nil
}

// SaveTiles has nothing to do: what is on the disk is read again.
func (d directory) SaveTiles([]tlog.Tile, [][]byte) {}

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir, vkey string) error {
	origin, tree, err := openCheckpoint(dir, vkey)
	if err != nil {
		return err
	}
	hashes := tlog.TileHashReader(tree, directory(dir))
	entries, err := checkEntries(dir, tree, hashes)
	if err != nil {
		return err
	}
	var given proofs
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		return err
	}
	out := report{Origin: origin, Size: tree.N, Entries: entries, Inclusion: []bool{}, Consistency: []bool{}}
	for _, p := range given.Inclusion {
		holds, err := checkInclusion(p)
		if err != nil {
			return err
		}
		out.Inclusion = append(out.Inclusion, holds)
		if own, err := tlog.ProveRecord(p.Size, p.Index, hashes); err == nil && holds && same(own, p.Hashes) {
			out.Same++
		}
	}
	for _, p := range given.Consistency {
		holds, err := checkConsistency(p)
		if err != nil {
			return err
		}
		out.Consistency = append(out.Consistency, holds)
		if own, err := tlog.ProveTree(p.New, p.Old, hashes); err == nil && holds && same(own, p.Hashes) {
			out.Same++
		}
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

func openCheckpoint(dir, vkey string) (string, tlog.Tree, error) {
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		return "", tlog.Tree{}, err
	}
	message, err := os.ReadFile(filepath.Join(dir, "checkpoint"))
	if err != nil {
		return "", tlog.Tree{}, err
	}
	opened, err := note.Open(message, note.VerifierList(verifier))
	if err != nil {
		return "", tlog.Tree{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 4 || lines[0] != verifier.Name() {
		return "", tlog.Tree{}, errors.New("the note is not a checkpoint of this log")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return "", tlog.Tree{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return lines[0], tlog.Tree{N: size, Hash: root}, err
}

// stored keeps the hashes of a tree in the order in which tlog numbers them.
type stored []tlog.Hash

func (s stored) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var found []tlog.Hash
	for _, index := range indexes {
		found = append(found, s[index])
	}
	return found, nil
}

// checkEntries returns how many entries the bundles hold, which have the root of the checkpoint and the hashes that are
// in the tiles. The tree is built again because TileHashReader passes over some tiles in this version of tlog: it counts
// the subtrees at the right edge where it means their tiles.
func checkEntries(dir string, tree tlog.Tree, tiles tlog.HashReader) (int64, error) {
	var index int64
	var own stored
	for index < tree.N {
		bundle, path, err := readBundle(dir, index, tree.N)
		if err != nil {
			return index, err
		}
		first := index
		for len(bundle) > 0 {
			if len(bundle) < 2 || len(bundle) < 2+int(binary.BigEndian.Uint16(bundle)) {
				return index, fmt.Errorf("%s ends in entry %d", path, index)
			}
			end := 2 + int(binary.BigEndian.Uint16(bundle))
			hashes, err := tlog.StoredHashes(index, bundle[2:end], own)
			if err != nil {
				return index, err
			}
			own = append(own, hashes...)
			bundle = bundle[end:]
			index++
		}
		if index > tree.N || index < tree.N && index%(1<<height) != 0 {
			return index, fmt.Errorf("%s ends with entry %d", path, index-1)
		}
		if err := checkTile(0, first, index, own, tiles); err != nil {
			return index, err
		}
	}
	for level := 1; tree.N>>(height*level) > 0; level++ {
		for end := tree.N >> (height * level); end > 0; end = (end - 1) >> height << height {
			if err := checkTile(level, (end-1)>>height<<height, end, own, tiles); err != nil {
				return index, err
			}
		}
	}
	root, err := tlog.TreeHash(tree.N, own)
	if err == nil && root != tree.Hash {
		err = errors.New("the entries do not have the root of the checkpoint")
	}
	return index, err
}

// checkTile compares the hashes of a tile from first to end with those of the tree that was built.
func checkTile(level int, first, end int64, own stored, tiles tlog.HashReader) error {
	var places []int64
	for n := first; n < end; n++ {
		places = append(places, tlog.StoredHashIndex(height*level, n))
	}
	hashes, err := tiles.ReadHashes(places)
	if err != nil {
		return err
	}
	for n, hash := range hashes {
		if own[places[n]] != hash {
			return fmt.Errorf("hash %d of tile level %d is not that of the entries", first+int64(n), level)
		}
	}
	return nil
}

func readBundle(dir string, index, size int64) ([]byte, string, error) {
	tile := tlog.Tile{H: height, L: -1, N: index >> height, W: 1 << height}
	if left := size - index; left < 1<<height {
		tile.W = int(left)
	}
	path := strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/data/", height), "tile/entries/", 1)
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
	return data, path, err
}

func checkInclusion(p inclusion) (bool, error) {
	root, err := tlog.ParseHash(p.Root)
	if err != nil {
		return false, err
	}
	leaf, err := base64.StdEncoding.DecodeString(p.Leaf)
	if err != nil {
		return false, err
	}
	hashes, err := parse(p.Hashes)
	if err != nil {
		return false, err
	}
	return tlog.CheckRecord(hashes, p.Size, root, p.Index, tlog.RecordHash(leaf)) == nil, nil
}

func checkConsistency(p consistency) (bool, error) {
	oldRoot, err := tlog.ParseHash(p.OldRoot)
	if err != nil {
		return false, err
	}
	newRoot, err := tlog.ParseHash(p.NewRoot)
	if err != nil {
		return false, err
	}
	hashes, err := parse(p.Hashes)
	if err != nil {
		return false, err
	}
	return tlog.CheckTree(hashes, p.New, newRoot, p.Old, oldRoot) == nil, nil
}

func parse(texts []string) ([]tlog.Hash, error) {
	var hashes []tlog.Hash
	for _, text := range texts {
		hash, err := tlog.ParseHash(text)
		if err != nil {
			return nil, err
		}
		hashes = append(hashes, hash)
	}
	return hashes, nil
}

func same(own []tlog.Hash, given []string) bool {
	if len(own) != len(given) {
		return false
	}
	for n, hash := range own {
		if hash.String() != given[n] {
			return false
		}
	}
	return true
}
