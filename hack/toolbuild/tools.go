package main

// stripped leaves symbol tables out: they double the size of the servers and
// the time to link them.
const stripped = "-s -w"

// runtimeVersion tells Crossplane which release it is. Without it every package
// that names a Crossplane version constraint is refused as "invalid semantic
// version".
const runtimeVersion = " -X github.com/crossplane/crossplane-runtime/v2/pkg/version.version="

// noDefaultMetrics turns off the metrics server of the RBAC manager. It has no
// flag for its address, so two of them on one machine would fight for :8080.
// Core sets its own address, which this leaves alone.
const noDefaultMetrics = " -X sigs.k8s.io/controller-runtime/pkg/metrics/server.DefaultBindAddress=0"

// A tool is one binary to build.
type tool struct {
	// name of the file to write.
	name string
	// module is the directory below hack/tools of the module that pins it. Empty:
	// hack/tools itself.
	module string
	// pkg is the import path of the main package.
	pkg string
	// ldflags given to the linker. They change the link alone, so that tools
	// with different flags share every compiled package.
	ldflags string
}

// s3 is the module of the S3 servers.
const s3 = "s3"

// tools in the order they are built: the ones that share most follow each
// other, and the longest build comes first.
var tools = []tool{
	{name: "kube-apiserver", pkg: "k8s.io/kubernetes/cmd/kube-apiserver", ldflags: stripped},
	{name: "kube-controller-manager", pkg: "k8s.io/kubernetes/cmd/kube-controller-manager", ldflags: stripped},
	{name: "kube-scheduler", pkg: "k8s.io/kubernetes/cmd/kube-scheduler", ldflags: stripped},
	{name: "kubectl", pkg: "k8s.io/kubernetes/cmd/kubectl", ldflags: stripped},
	{name: "etcd", pkg: "go.etcd.io/etcd/server/v3", ldflags: stripped},
	{name: "kwok", pkg: "sigs.k8s.io/kwok/cmd/kwok", ldflags: stripped},
	{name: "crane", pkg: "github.com/google/go-containerregistry/cmd/crane", ldflags: stripped},
	{name: "crossplane-core", pkg: "github.com/crossplane/crossplane/v2/cmd/crossplane", ldflags: stripped + runtimeVersion + "v2.4.0" + noDefaultMetrics},
	{name: "crossplane", pkg: "github.com/crossplane/cli/v2/cmd/crossplane", ldflags: stripped + runtimeVersion + "v2.5.0"},
	{name: "versitygw", module: s3, pkg: "github.com/versity/versitygw/cmd/versitygw", ldflags: stripped},
	{name: "minio", module: s3, pkg: "github.com/minio/minio", ldflags: stripped},
}

// A data directory or file that a tool needs at run time and that ships inside
// its Go module.
type data struct {
	// module is the module's path, and from the path within it.
	module, from string
	// to is the path under share.
	to string
}

var shared = []data{
	{module: "github.com/crossplane/crossplane/v2", from: "cluster/crds", to: "crds"},
	{module: "github.com/crossplane/crossplane/v2", from: "cluster/webhookconfigurations", to: "webhookconfigurations"},
	{module: "github.com/crossplane/crossplane/v2", from: "cluster/charts/crossplane/templates", to: "chart"},
	{module: "sigs.k8s.io/kwok", from: "kustomize/stage/node/fast", to: "stages/node"},
	{module: "sigs.k8s.io/kwok", from: "kustomize/stage/pod/fast", to: "stages/pod"},
}
