package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"sigs.k8s.io/yaml"
)

// The directories and the file that hold what is generated.
const (
	dirComposites    = "package/configuration-echo/apis"
	dirClaims        = "package/configuration-echo-claims/apis"
	dirFunctionInput = "package/function-echo/input"
	fileReference    = "docs/api.md"
)

// header marks a YAML file as generated. A file with this header that no kind
// accounts for is a left-over of one that is gone.
const header = "# Generated from the Go types under apis/ by hack/generate. Do not edit.\n"

// A File is one that is generated.
type File struct {
	// Path from the root of the module, with slashes.
	Path    string
	Content []byte
}

// Render returns all files that follow from the APIs, in order of path. It is
// pure: the same APIs give the same bytes.
func Render(apis *APIs) ([]File, error) {
	var files []File
	add := func(dir, plural string, object any) error {
		content, err := encode(object)
		files = append(files, File{Path: dir + "/" + plural + ".yaml", Content: content})
		return errors.Wrapf(err, "cannot encode %s/%s.yaml", dir, plural)
	}

	for _, kind := range apis.Kinds {
		if kind.FunctionInput != nil {
			crd := FunctionInputCRD(kind)
			if err := add(dirFunctionInput, crd.Spec.Names.Plural, crd); err != nil {
				return nil, err
			}
			continue
		}

		xrd, err := CompositeXRD(kind)
		if err != nil {
			return nil, err
		}
		if err := add(dirComposites, xrd.Spec.Names.Plural, xrd); err != nil {
			return nil, err
		}

		if !kind.Composite.Claims {
			continue
		}
		claim, err := ClaimXRD(kind)
		if err != nil {
			return nil, err
		}
		if err := add(dirClaims, claim.Spec.Names.Plural, claim); err != nil {
			return nil, err
		}
	}

	files = append(files, File{Path: fileReference, Content: Reference(apis)})
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// encode returns an object as YAML with the header, less the fields that only
// a server writes, which Go's encoding shows as null or empty.
func encode(object any) ([]byte, error) {
	content, err := toMap(object)
	if err != nil {
		return nil, err
	}
	delete(content, "status")
	if metadata, ok := content["metadata"].(map[string]any); ok {
		delete(metadata, "creationTimestamp")
	}
	out, err := yaml.Marshal(content)
	return append([]byte(header), out...), err
}

// toMap returns what an object's JSON says.
func toMap(object any) (map[string]any, error) {
	raw, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	content := map[string]any{}
	return content, json.Unmarshal(raw, &content)
}

// Write makes the disk agree with the files, left-overs included.
func Write(root string, files []File) error {
	stale, err := Stale(root, files)
	if err != nil {
		return err
	}
	for _, path := range stale {
		at := filepath.Join(root, filepath.FromSlash(path))
		i := slices.IndexFunc(files, func(f File) bool { return f.Path == path })
		if i < 0 {
			if err := os.Remove(at); err != nil {
				return errors.Wrap(err, "cannot remove a left-over file")
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return errors.Wrap(err, "cannot make a directory")
		}
		if err := os.WriteFile(at, files[i].Content, 0o644); err != nil {
			return errors.Wrap(err, "cannot write a file")
		}
	}
	return nil
}

// Stale returns the paths at which the disk does not agree with the files:
// those that differ or are missing, then those that are left over.
func Stale(root string, files []File) ([]string, error) {
	var stale []string
	wanted := map[string]bool{}
	for _, f := range files {
		wanted[f.Path] = true
		content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.Path)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, errors.Wrap(err, "cannot read a generated file")
		}
		if err != nil || !bytes.Equal(content, f.Content) {
			stale = append(stale, f.Path)
		}
	}

	for _, dir := range []string{dirComposites, dirClaims, dirFunctionInput} {
		entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(dir)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, errors.Wrap(err, "cannot list generated files")
		}
		for _, e := range entries {
			path := dir + "/" + e.Name()
			if wanted[path] || filepath.Ext(path) != ".yaml" {
				continue
			}
			content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
			if err != nil {
				return nil, errors.Wrap(err, "cannot read a file beside the generated ones")
			}
			if bytes.HasPrefix(content, []byte(header)) {
				stale = append(stale, path)
			}
		}
	}
	return stale, nil
}
