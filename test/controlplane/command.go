package controlplane

import (
	"bytes"
	"context"
	"os/exec"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// Kubectl runs kubectl as the administrator, and returns what it writes to
// standard output. When it fails, the error holds what it wrote to standard
// error.
func (cp *ControlPlane) Kubectl(ctx context.Context, args ...string) (string, error) {
	return cp.run(ctx, toolKubectl, cp.Kubeconfig(), args...)
}

// CLI runs the crossplane CLI as the administrator, like Kubectl.
func (cp *ControlPlane) CLI(ctx context.Context, args ...string) (string, error) {
	return cp.run(ctx, toolCLI, cp.Kubeconfig(), args...)
}

// environment of every process: nothing of the caller's own, such as
// credentials for registries or clusters, reaches what runs here.
func (cp *ControlPlane) environment() []string {
	home := cp.dir.join(dirHome)
	return []string{
		"HOME=" + home,
		"TMPDIR=" + home,
		"DOCKER_CONFIG=" + home,
		"PATH=" + cp.options.Tools + ":/usr/bin:/bin",
	}
}

// run runs a tool, and returns its standard output.
func (cp *ControlPlane) run(ctx context.Context, tool, kubeconfig string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, cp.tool(tool), args...)
	out, errs := bytes.Buffer{}, bytes.Buffer{}
	cmd.Env = append(cp.environment(), "KUBECONFIG="+kubeconfig)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), errors.Wrapf(err, "%s %s: %s", tool, strings.Join(args, " "), strings.TrimSpace(errs.String()))
	}
	return out.String(), nil
}
