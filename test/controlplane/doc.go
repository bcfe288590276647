// Package controlplane runs a real Crossplane control plane on loopback: etcd,
// kube-apiserver, kube-controller-manager, kube-scheduler, fake nodes, an OCI
// registry, Crossplane core and its RBAC manager, and the S3 servers that the
// options name. Nothing is mocked, so what passes here passes in a cluster; only
// the containers of Pods do not run.
//
//	cp, err := controlplane.Start(ctx, controlplane.Options{})
//	defer cp.Stop()
//	err = cp.Push(ctx, "xpkg.my-operator.dev/function-echo:v0.1.0", "function-amd64.xpkg", "function-arm64.xpkg")
//	err = cp.InstallPackage(ctx, controlplane.Function, "xpkg.my-operator.dev/function-echo:v0.1.0", "function-echo")
//	tenant, err := cp.Tenant(ctx, "team-a")
//	out, err := cp.Kubectl(ctx, "get", "functions")
//	minio, err := cp.S3(controlplane.MinIO)
//
// # How it differs from a cluster
//
// Core runs with PACKAGE_RUNTIME=External: it pulls, unpacks and resolves
// packages, and leaves running them to the [ControlPlane]. That takes the very
// binary out of the package's image, gives it the certificates and the service
// account that a Deployment would give it, runs it as a process of an
// unprivileged user, and restarts it when it ends, as a kubelet would.
//
// Core and the RBAC manager act as their own service accounts, with the roles of
// the real Helm chart. What a package cannot carry, such as the right to compose
// Pods, is missing here too until somebody applies it.
//
// # Safety
//
// Every server listens on 127.0.0.1, except for two ports of core (metrics and
// health probes), whose address cannot be set. Ports and directories are
// reserved, so that several control planes run side by side. The kernel kills
// the processes when the one that started them dies, and the next Start removes
// the directories that such a death left behind.
package controlplane
