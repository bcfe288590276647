package controlplane

import (
	"archive/tar"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// An imageConfiguration is the part of an OCI image's configuration that says
// how to run it.
type imageConfiguration struct {
	Entrypoint []string
	Cmd        []string
	Env        []string
}

// unpack takes the entrypoint out of the image for this architecture, and
// returns the image's configuration. The entrypoint must be all that the
// program needs, as in an image from scratch.
func (cp *ControlPlane) unpack(ctx context.Context, image, target string) (imageConfiguration, error) {
	platform := "--platform=linux/" + runtime.GOARCH
	out, err := cp.run(ctx, toolCrane, cp.Kubeconfig(), "config", platform, image)
	if err != nil {
		return imageConfiguration{}, errors.Wrapf(err, "cannot read the configuration of image %s", image)
	}
	file := struct {
		Config imageConfiguration `json:"config"`
	}{}
	if err := json.Unmarshal([]byte(out), &file); err != nil {
		return imageConfiguration{}, errors.Wrapf(err, "cannot parse the configuration of image %s", image)
	}
	if len(file.Config.Entrypoint) == 0 {
		return imageConfiguration{}, errors.Errorf("image %s has no entrypoint: is it built with --embed-runtime-image?", image)
	}

	cmd := exec.CommandContext(ctx, cp.tool(toolCrane), "export", platform, image, "-")
	cmd.Env = cp.environment()
	files, err := cmd.StdoutPipe()
	if err != nil {
		return imageConfiguration{}, errors.Wrap(err, "cannot read from crane")
	}
	if err := cmd.Start(); err != nil {
		return imageConfiguration{}, errors.Wrap(err, "cannot start crane")
	}
	extractErr := extract(files, file.Config.Entrypoint[0], target)
	// What crane has yet to write must go somewhere, or it waits forever.
	_, _ = io.Copy(io.Discard, files)
	if err := cmd.Wait(); err != nil {
		return imageConfiguration{}, errors.Wrapf(err, "cannot export image %s", image)
	}
	return file.Config, errors.Wrapf(extractErr, "cannot extract the entrypoint of image %s", image)
}

// extract writes one regular file of a tar stream to target, as an executable
// that nobody may write.
func extract(archive io.Reader, name, target string) error {
	for t := tar.NewReader(archive); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return errors.Errorf("there is no file %s", name)
		}
		if err != nil {
			return errors.Wrap(err, "cannot read the archive")
		}
		if h.Typeflag != tar.TypeReg || path.Join("/", h.Name) != path.Join("/", name) {
			continue
		}
		partial := target + ".partial"
		f, err := os.OpenFile(filepath.Clean(partial), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o555)
		if err != nil {
			return errors.Wrap(err, "cannot make the executable")
		}
		// The mode given at creation is cut down by the umask.
		_, err = io.Copy(f, t) //nolint:gosec // The image is our own, and the disk too.
		if err := errors.Join(err, f.Chmod(0o555), f.Close()); err != nil {
			return errors.Wrap(err, "cannot write the executable")
		}
		return errors.Wrap(os.Rename(partial, target), "cannot put the executable in place")
	}
}
