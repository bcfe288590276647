package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// user is who the binary runs as, and owns nothing: 65532 is the "nonroot" user of common base images. It is a number
// because Kubernetes cannot tell from a name that a user is not root.
const user = "65532:65532"

// An imageManifest is the one element of manifest.json, which tells a reader of the tar file where things are.
type imageManifest struct {
	Config string   `json:"Config"`
	Layers []string `json:"Layers"`
}

// An imageConfig is the part of the OCI image configuration that a scratch image needs; the source is
// https://github.com/opencontainers/image-spec/blob/main/config.md.
type imageConfig struct {
	Architecture string         `json:"architecture"`
	OS           string         `json:"os"`
	Created      time.Time      `json:"created"`
	Config       runConfig      `json:"config"`
	RootFS       rootFS         `json:"rootfs"`
	History      []historyEntry `json:"history"`
}

// A runConfig says how a container of the image is run.
type runConfig struct {
	User         string              `json:"User"`
	ExposedPorts map[string]struct{} `json:"ExposedPorts"`
	Entrypoint   []string            `json:"Entrypoint"`
	Labels       map[string]string   `json:"Labels"`
}

// A rootFS names the image's layers by the digests of their uncompressed tar files.
type rootFS struct {
	Type    string   `json:"type"`
	DiffIDs []string `json:"diff_ids"`
}

// A historyEntry says where one layer comes from. Tools that list an image's layers pair them with these entries.
type historyEntry struct {
	Created   time.Time `json:"created"`
	CreatedBy string    `json:"created_by"`
}

// epoch is the one time in an image: a true one would make each build different.
func epoch() time.Time {
	return time.Unix(0, 0).UTC()
}

// labels describe the image to registries and scanners, in the keys of
// https://github.com/opencontainers/image-spec/blob/main/annotations.md. They are labels and not annotations of the
// manifest because the tar form has no manifest to annotate. The Dockerfile says the same.
func labels(r runtime, version string) map[string]string {
	return map[string]string{
		"org.opencontainers.image.title":       r.Name,
		"org.opencontainers.image.description": r.Description,
		"org.opencontainers.image.source":      "https://my-operator.dev/echo",
		"org.opencontainers.image.licenses":    "Apache-2.0",
		"org.opencontainers.image.version":     version,
	}
}

// writeImage writes a scratch image that holds and runs the executable of a runtime, in the tar form of "docker save".
// The executable lies at the root, under the runtime's name; the Dockerfile says the same.
func writeImage(file string, r runtime, binary, arch, version string) error {
	executable, err := os.ReadFile(binary)
	if err != nil {
		return errors.Wrap(err, "cannot read executable")
	}
	layer, err := archive(entry{r.Name, 0o755, executable})
	if err != nil {
		return errors.Wrap(err, "cannot write image layer")
	}
	config, err := json.Marshal(imageConfig{
		Architecture: arch,
		OS:           "linux",
		Created:      epoch(),
		Config: runConfig{
			User:         user,
			ExposedPorts: r.Ports,
			Entrypoint:   []string{"/" + r.Name},
			Labels:       labels(r, version),
		},
		RootFS:  rootFS{Type: "layers", DiffIDs: []string{digest(layer)}},
		History: []historyEntry{{Created: epoch(), CreatedBy: "hack/packages"}},
	})
	if err != nil {
		return errors.Wrap(err, "cannot encode image configuration")
	}
	manifest, err := json.Marshal([]imageManifest{{Config: "config.json", Layers: []string{"layer.tar.gz"}}})
	if err != nil {
		return errors.Wrap(err, "cannot encode image manifest")
	}
	compressed, err := compress(layer)
	if err != nil {
		return errors.Wrap(err, "cannot compress image layer")
	}
	image, err := archive(
		entry{"config.json", 0o644, config},
		entry{"layer.tar.gz", 0o644, compressed},
		entry{"manifest.json", 0o644, manifest},
	)
	if err != nil {
		return errors.Wrap(err, "cannot write image")
	}
	return errors.Wrap(os.WriteFile(file, image, 0o600), "cannot write image")
}

// An entry is one regular file of a tar archive.
type entry struct {
	name    string
	mode    int64
	content []byte
}

// archive returns a tar file of the given entries, all owned by root and of the epoch.
func archive(entries ...entry) ([]byte, error) {
	buf := &bytes.Buffer{}
	w := tar.NewWriter(buf)
	for _, e := range entries {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: e.name, Mode: e.mode, Size: int64(len(e.content)), ModTime: epoch()}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// compress returns b in gzip's form, as small as it gets: a layer is written once and pulled by every node.
func compress(b []byte) ([]byte, error) {
	buf := &bytes.Buffer{}
	w, err := gzip.NewWriterLevel(buf, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(w, bytes.NewReader(b)); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// digest returns the digest of b as OCI writes it.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}
