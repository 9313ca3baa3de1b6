// Tlogcheck reads a log as a stranger does: with Go's own sumdb/note and sumdb/tlog, from the files that tlog-tiles
// lays out. It opens the checkpoint with the verifier key, finds every entry in the tree through the tiles, and
// checks the proofs that it is given on its standard input.
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

// checkEntries returns how many entries the bundles hold, each with its hash at its place in the tree.
func checkEntries(dir string, tree tlog.Tree, hashes tlog.HashReader) (int64, error) {
	var index int64
	for index < tree.N {
		tile := tlog.Tile{H: height, L: -1, N: index >> height, W: 1 << height}
		if left := tree.N - index; left < 1<<height {
			tile.W = int(left)
		}
		path := strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/data/", height), "tile/entries/", 1)
		bundle, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		if err != nil {
			return index, err
		}
		var places []int64
		for n := 0; n < tile.W; n++ {
			places = append(places, tlog.StoredHashIndex(0, index+int64(n)))
		}
		leaves, err := hashes.ReadHashes(places)
		if err != nil {
			return index, err
		}
		for _, leaf := range leaves {
			if len(bundle) < 2 || len(bundle) < 2+int(binary.BigEndian.Uint16(bundle)) {
				return index, fmt.Errorf("%s ends in entry %d", path, index)
			}
			end := 2 + int(binary.BigEndian.Uint16(bundle))
			if tlog.RecordHash(bundle[2:end]) != leaf {
				return index, fmt.Errorf("entry %d is not in the tree", index)
			}
			bundle = bundle[end:]
			index++
		}
		if len(bundle) > 0 {
			return index, fmt.Errorf("%s goes on after entry %d", path, index-1)
		}
	}
	return index, nil
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
