package packages

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"testing"
)

// baseLabel is the start of the image label that says which layer holds package.yaml. It ends in that layer's digest;
// the xpkg specification and the Crossplane CLI call its value "base".
const baseLabel = "io.crossplane.xpkg:sha256:"

// An image is a package file, read.
type image struct {
	Config imageConfig

	// Layers hold files by path, in the order of the image.
	Layers []layer
}

// An imageConfig is what these tests look at in an OCI image configuration.
type imageConfig struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
	Config       struct {
		User         string              `json:"User"`
		Entrypoint   []string            `json:"Entrypoint"`
		ExposedPorts map[string]struct{} `json:"ExposedPorts"`
		Labels       map[string]string   `json:"Labels"`
	} `json:"config"`
}

// A layer is one layer of an image.
type layer struct {
	// Name of the layer's own file in the package file: its digest's hex form and ".tar.gz".
	Name string

	// Files of the layer, by path.
	Files map[string]file
}

// A file is one file of a tar archive.
type file struct {
	Mode    int64
	Content []byte
}

// readImage reads a package file.
func readImage(t *testing.T, path string) image {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("cannot read package: %v", err)
	}
	files := untar(t, bytes.NewReader(b))

	var manifests []struct {
		Config string
		Layers []string
	}
	decode(t, files["manifest.json"].Content, &manifests)
	if len(manifests) != 1 {
		t.Fatalf("%s holds %d images, want 1", path, len(manifests))
	}

	img := image{}
	decode(t, files[manifests[0].Config].Content, &img.Config)
	for _, name := range manifests[0].Layers {
		z, err := gzip.NewReader(bytes.NewReader(files[name].Content))
		if err != nil {
			t.Fatalf("cannot decompress layer %s: %v", name, err)
		}
		img.Layers = append(img.Layers, layer{Name: name, Files: untar(t, z)})
	}
	return img
}

// untar reads a tar archive.
func untar(t *testing.T, r io.Reader) map[string]file {
	t.Helper()
	files := map[string]file{}
	for tr := tar.NewReader(r); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatalf("cannot read tar archive: %v", err)
		}
		b, err := io.ReadAll(tr)
		if err != nil {
			t.Fatalf("cannot read %s of tar archive: %v", h.Name, err)
		}
		files[h.Name] = file{Mode: h.Mode, Content: b}
	}
}

// decode reads JSON.
func decode(t *testing.T, b []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("cannot decode %q: %v", b, err)
	}
}
