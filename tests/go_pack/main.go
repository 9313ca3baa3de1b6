// Packcheck makes Context Packs with Go's own encoding/json, and keeps and opens them as upstream's sources say.
//
//	packcheck pack              one {"log", "created"} a line on standard input, one answer a line
//	packcheck init FOLDER       make an empty .ctx
//	packcheck add FOLDER TIME   pack the log on standard input into it, and print its name
//	packcheck open FOLDER       open every pack of it, and print what it holds
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

type content struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

type executionLog struct {
	Model        model  `json:"model"`
	SystemPrompt string `json:"system_prompt"`
	Prompts      []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"prompts"`
	Inputs []content `json:"inputs"`
	Steps  []struct {
		Index         int            `json:"index"`
		Type          string         `json:"type"`
		Tool          string         `json:"tool"`
		Parameters    map[string]any `json:"parameters"`
		Output        string         `json:"output"`
		Deterministic bool           `json:"deterministic"`
		Timestamp     time.Time      `json:"timestamp"`
	} `json:"steps"`
	Outputs     []content   `json:"outputs"`
	Environment environment `json:"environment"`
}

type model struct {
	Identifier string         `json:"identifier"`
	Parameters map[string]any `json:"parameters"`
}

type environment struct {
	OS           string            `json:"os"`
	Runtime      string            `json:"runtime"`
	ToolVersions map[string]string `json:"tool_versions"`
}

type prompt struct {
	Role       string `json:"role"`
	ContentRef string `json:"content_ref"`
}

type input struct {
	Name       string `json:"name"`
	ContentRef string `json:"content_ref"`
	Size       int64  `json:"size"`
}

type step struct {
	Index         int            `json:"index"`
	Type          string         `json:"type"`
	Tool          string         `json:"tool"`
	Parameters    map[string]any `json:"parameters"`
	OutputRef     string         `json:"output_ref"`
	Deterministic bool           `json:"deterministic"`
	Timestamp     time.Time      `json:"timestamp"`
}

type output struct {
	Name        string `json:"name"`
	ContentRef  string `json:"content_ref"`
	ContextPack string `json:"context_pack,omitempty"`
}

type manifest struct {
	Version      string      `json:"version"`
	Hash         string      `json:"hash"`
	Created      time.Time   `json:"created"`
	Model        model       `json:"model"`
	SystemPrompt string      `json:"system_prompt"`
	Prompts      []prompt    `json:"prompts"`
	Inputs       []input     `json:"inputs"`
	Steps        []step      `json:"steps"`
	Outputs      []output    `json:"outputs"`
	Environment  environment `json:"environment"`
	Parent       string      `json:"parent,omitempty"`
}

func nameOf(data []byte) string {
	digest := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(digest[:])
}

// canonical writes a manifest twice: the second time from maps, whose members Go sorts.
func canonical(m *manifest) ([]byte, error) {
	first, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	var plain any
	if err := json.Unmarshal(first, &plain); err != nil {
		return nil, err
	}
	return json.Marshal(plain)
}

func readLog(data []byte) (*executionLog, error) {
	var read executionLog
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&read); err != nil {
		return nil, err
	}
	lacking := read.Model.Identifier == "" || read.SystemPrompt == "" || read.Environment.OS == "" || read.Environment.Runtime == ""
	for _, one := range read.Steps {
		lacking = lacking || one.Tool == "" || one.Type == ""
	}
	for _, one := range read.Outputs {
		lacking = lacking || one.Name == ""
	}
	if lacking {
		return nil, fmt.Errorf("a required field is missing")
	}
	return &read, nil
}

func build(read *executionLog, created time.Time, keep func(string) string) *manifest {
	m := &manifest{
		Version: "0.1", Created: created, Model: read.Model, SystemPrompt: keep(read.SystemPrompt),
		Prompts: []prompt{}, Inputs: []input{}, Steps: []step{}, Outputs: []output{}, Environment: read.Environment,
	}
	for _, one := range read.Prompts {
		m.Prompts = append(m.Prompts, prompt{one.Role, keep(one.Content)})
	}
	for _, one := range read.Inputs {
		m.Inputs = append(m.Inputs, input{one.Name, keep(one.Content), int64(len(one.Content))})
	}
	for _, one := range read.Steps {
		reference := ""
		if one.Output != "" {
			reference = keep(one.Output)
		}
		m.Steps = append(m.Steps, step{one.Index, one.Type, one.Tool, one.Parameters, reference, one.Deterministic, one.Timestamp})
	}
	for _, one := range read.Outputs {
		m.Outputs = append(m.Outputs, output{Name: one.Name, ContentRef: keep(one.Content)})
	}
	return m
}

func pack() error {
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Buffer(nil, 1<<28)
	out := json.NewEncoder(os.Stdout)
	for scanner.Scan() {
		var asked struct {
			Log     []byte    `json:"log"`
			Created time.Time `json:"created"`
		}
		if err := json.Unmarshal(scanner.Bytes(), &asked); err != nil {
			return err
		}
		answer := map[string]any{}
		read, err := readLog(asked.Log)
		if err == nil {
			blobs := map[string][]byte{}
			m := build(read, asked.Created, func(text string) string {
				blobs[nameOf([]byte(text))] = []byte(text)
				return nameOf([]byte(text))
			})
			var data []byte
			data, err = canonical(m)
			if err == nil {
				answer["manifest"], answer["blobs"] = data, blobs
				// What LoadPack, fork and FinalizeDraft make of it.
				var again manifest
				if err := json.Unmarshal(data, &again); err == nil {
					again.Parent = nameOf(data)
					answer["draft"], _ = json.MarshalIndent(&again, "", "  ")
					answer["fork"], _ = json.Marshal(&again)
				}
			}
		}
		if err != nil {
			answer["error"] = err.Error()
		}
		if err := out.Encode(answer); err != nil {
			return err
		}
	}
	return scanner.Err()
}

func initialise(folder string) error {
	root := filepath.Join(folder, ".ctx")
	if _, err := os.Stat(root); err == nil {
		return fmt.Errorf("%s is there", root)
	}
	for _, name := range []string{"objects", "packs", "refs"} {
		if err := os.MkdirAll(filepath.Join(root, name), 0755); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(root, "config.json"), []byte("{\n  \"version\": \"0.1\"\n}"), 0644)
}

func objectPath(folder, name string) string {
	return filepath.Join(folder, ".ctx", "objects", name[7:9], name[9:])
}

func add(folder, moment string) error {
	created, err := time.Parse(time.RFC3339, moment)
	if err != nil {
		return err
	}
	var data bytes.Buffer
	if _, err := data.ReadFrom(os.Stdin); err != nil {
		return err
	}
	read, err := readLog(data.Bytes())
	if err != nil {
		return err
	}
	var failed error
	put := func(text string) string {
		name := nameOf([]byte(text))
		path := objectPath(folder, name)
		if _, err := os.Stat(path); err == nil {
			return name
		}
		if err := os.MkdirAll(filepath.Dir(path), 0755); err != nil {
			failed = err
		}
		if err := os.WriteFile(path, []byte(text), 0444); err != nil {
			failed = err
		}
		return name
	}
	bytes, err := canonical(build(read, created, put))
	if err != nil {
		return err
	}
	name := put(string(bytes))
	if failed != nil {
		return failed
	}
	index, err := os.OpenFile(filepath.Join(folder, ".ctx", "packs", name[7:]), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0444)
	if err != nil {
		return err
	}
	defer index.Close()
	fmt.Println(name)
	_, err = index.WriteString(name)
	return err
}

func get(folder, name string) ([]byte, error) {
	data, err := os.ReadFile(objectPath(folder, name))
	if err == nil && nameOf(data) != name {
		err = fmt.Errorf("%s is altered", name)
	}
	return data, err
}

func open(folder string) error {
	listed, err := os.ReadDir(filepath.Join(folder, ".ctx", "packs"))
	if err != nil {
		return err
	}
	found := map[string]any{}
	for _, entry := range listed {
		name := "sha256:" + entry.Name()
		data, err := get(folder, name)
		if err != nil {
			return err
		}
		var m manifest
		if err := json.Unmarshal(data, &m); err != nil {
			return err
		}
		texts := map[string]string{}
		names := []string{m.SystemPrompt}
		for _, one := range m.Prompts {
			names = append(names, one.ContentRef)
		}
		for _, one := range m.Inputs {
			names = append(names, one.ContentRef)
		}
		for _, one := range m.Steps {
			if one.OutputRef != "" {
				names = append(names, one.OutputRef)
			}
		}
		for _, one := range m.Outputs {
			names = append(names, one.ContentRef)
		}
		for _, one := range names {
			text, err := get(folder, one)
			if err != nil {
				return err
			}
			texts[one] = string(text)
		}
		found[name] = map[string]any{"model": m.Model.Identifier, "steps": len(m.Steps), "parent": m.Parent, "texts": texts}
	}
	return json.NewEncoder(os.Stdout).Encode(found)
}

func main() {
	var err error
	switch {
	case len(os.Args) == 2 && os.Args[1] == "pack":
		err = pack()
	case len(os.Args) == 3 && os.Args[1] == "init":
		err = initialise(os.Args[2])
	case len(os.Args) == 4 && os.Args[1] == "add":
		err = add(os.Args[2], os.Args[3])
	case len(os.Args) == 3 && os.Args[1] == "open":
		err = open(os.Args[2])
	default:
		err = fmt.Errorf("packcheck pack, init FOLDER, add FOLDER TIME or open FOLDER")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
