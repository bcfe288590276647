package controlplane

import (
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// ToolsEnv names the environment variable that points at the directory of
// server and tool binaries which hack/toolbuild prints.
const ToolsEnv = "ECHO_TOOLS"

// DefaultPackageHost is the public registry that our packages name each other
// by. An ImageConfig maps it to the loopback registry.
const DefaultPackageHost = "xpkg.my-operator.dev"

// Options of a control plane. The zero value works when ECHO_TOOLS is set.
type Options struct {
	// Tools is the directory that holds the binaries. Default: $ECHO_TOOLS.
	Tools string

	// WorkDir receives the data, credentials and logs, and must be reachable by
	// an unprivileged user, because functions run as one. It is kept at Stop.
	// Default: a new directory under os.TempDir, which Stop removes.
	WorkDir string

	// Nodes is the number of fake nodes. Default: 2.
	Nodes int

	// PackageHost is the registry host whose packages are to be found in the
	// loopback registry. Default: DefaultPackageHost.
	PackageHost string

	// TenantClusterRoles are bound to each tenant in their own namespace.
	TenantClusterRoles []string

	// S3 names the S3 servers to start: Versitygw, VersitygwTLS, MinIO, MinIOTLS.
	// Default: none.
	S3 []string

	// CoreArgs are given to `crossplane core start` after the usual ones.
	CoreArgs []string

	// Progress receives one line as each component becomes healthy. Default:
	// nothing is written.
	Progress io.Writer
}

// defaulted returns the options with defaults filled in, or an error that says
// how to get the tools.
func (o Options) defaulted() (Options, error) {
	if o.Tools == "" {
		o.Tools = os.Getenv(ToolsEnv)
	}
	if o.Tools == "" {
		return o, errors.Errorf("no tools: set %s to the directory that `go run ./hack/toolbuild` prints", ToolsEnv)
	}
	tools, err := filepath.Abs(o.Tools)
	if err != nil {
		return o, errors.Wrapf(err, "cannot resolve the tools directory %s", o.Tools)
	}
	o.Tools = tools
	if missing := missingTools(o.Tools); len(missing) > 0 {
		return o, errors.Errorf("%s lacks %v: run `go run ./hack/toolbuild`, and set %s to the directory it prints", o.Tools, missing, ToolsEnv)
	}
	if o.Nodes == 0 {
		o.Nodes = 2
	}
	if o.PackageHost == "" {
		o.PackageHost = DefaultPackageHost
	}
	if o.Progress == nil {
		o.Progress = io.Discard
	}
	o.CoreArgs, o.S3 = slices.Clone(o.CoreArgs), slices.Clone(o.S3)
	return o, nil
}

// Names of files in the tools directory.
const (
	toolEtcd              = "etcd"
	toolAPIServer         = "kube-apiserver"
	toolControllerManager = "kube-controller-manager"
	toolScheduler         = "kube-scheduler"
	toolKubectl           = "kubectl"
	toolKwok              = "kwok"
	toolCrane             = "crane"
	toolCore              = "crossplane-core"
	toolCLI               = "crossplane"
	toolVersitygw         = "versitygw"
	toolMinIO             = "minio"
	toolData              = "share"
)

func missingTools(dir string) []string {
	missing := []string{}
	for _, name := range []string{
		toolEtcd, toolAPIServer, toolControllerManager, toolScheduler, toolKubectl,
		toolKwok, toolCrane, toolCore, toolCLI, toolVersitygw, toolMinIO, toolData,
	} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			missing = append(missing, name)
		}
	}
	return missing
}
