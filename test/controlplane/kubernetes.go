package controlplane

import (
	"context"
	"fmt"

	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// Names of components, for Restart, Kill and Log.
const (
	Etcd              = "etcd"
	APIServer         = "kube-apiserver"
	ControllerManager = "kube-controller-manager"
	Scheduler         = "kube-scheduler"
	Kwok              = "kwok"
	OCIRegistry       = "registry"
	Core              = "crossplane"
	RBACManager       = "crossplane-rbac-manager"
)

// issuer of service account tokens, as in most clusters.
const issuer = "https://kubernetes.default.svc.cluster.local"

// startKubernetes starts etcd and the API server, and makes the administrator's
// clients.
func (cp *ControlPlane) startKubernetes(ctx context.Context) error {
	var err error
	if cp.pki, err = newPKI(cp.dir); err != nil {
		return err
	}
	etcd, endpoint, err := cp.etcd()
	if err != nil {
		return err
	}
	if err := cp.startStage(ctx, etcd); err != nil {
		return err
	}
	apiserver, host, err := cp.apiserver(endpoint)
	if err != nil {
		return err
	}
	if err := cp.startStage(ctx, apiserver); err != nil {
		return err
	}

	cp.admin = certificateConfig(host, cp.pki.ca, cp.pki.admin)
	// Tests wait for the API server, not for the client's own rate limit.
	cp.admin.QPS, cp.admin.Burst = -1, -1
	if err := writeKubeconfig(cp.Kubeconfig(), cp.admin, "default"); err != nil {
		return err
	}
	if cp.client, err = client.New(cp.admin, client.Options{}); err != nil {
		return errors.Wrap(err, "cannot make a client")
	}
	cp.clients, err = kubernetes.NewForConfig(cp.admin)
	return errors.Wrap(err, "cannot make a client set")
}

// newProcess returns the process of a component with the environment that every
// one of them gets.
func (cp *ControlPlane) newProcess(name, tool string, args ...string) *process {
	return &process{
		name: name, path: cp.tool(tool), args: args, env: cp.environment(),
		dir: cp.dir.path, log: cp.Log(name),
	}
}

func (cp *ControlPlane) etcd() (*process, string, error) {
	clientPort, err := cp.ports.take()
	if err != nil {
		return nil, "", err
	}
	peerPort, err := cp.ports.take()
	if err != nil {
		return nil, "", err
	}
	endpoint, peer := "https://"+loopback(clientPort), "https://"+loopback(peerPort)
	ca, crt, key := cp.pkiFile(filePKICA), cp.pkiFile(filePKIServing+".crt"), cp.pkiFile(filePKIServing+".key")
	p := cp.newProcess(Etcd, toolEtcd,
		"--data-dir="+cp.dir.join(dirEtcd),
		"--listen-client-urls="+endpoint, "--advertise-client-urls="+endpoint,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer, "--initial-cluster=default="+peer,
		"--client-cert-auth", "--trusted-ca-file="+ca, "--cert-file="+crt, "--key-file="+key,
		"--peer-client-cert-auth", "--peer-trusted-ca-file="+ca, "--peer-cert-file="+crt, "--peer-key-file="+key,
		// The data does not outlive the control plane, so a power cut may have it.
		"--unsafe-no-fsync",
		"--log-level=warn",
	)
	p.healthy = answers(cp.pki.client, endpoint+"/health")
	return p, endpoint, nil
}

func (cp *ControlPlane) apiserver(etcd string) (*process, string, error) {
	port, err := cp.ports.take()
	if err != nil {
		return nil, "", err
	}
	host := "https://" + loopback(port)
	p := cp.newProcess(APIServer, toolAPIServer,
		"--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port),
		// A loopback address may not be an endpoint of the kubernetes Service.
		"--endpoint-reconciler-type=none",
		"--etcd-servers="+etcd, "--etcd-cafile="+cp.pkiFile(filePKICA),
		"--etcd-certfile="+cp.pkiFile(filePKIClient+".crt"), "--etcd-keyfile="+cp.pkiFile(filePKIClient+".key"),
		"--tls-cert-file="+cp.pkiFile(filePKIServing+".crt"), "--tls-private-key-file="+cp.pkiFile(filePKIServing+".key"),
		"--client-ca-file="+cp.pkiFile(filePKICA),
		"--authorization-mode=Node,RBAC",
		"--service-account-issuer="+issuer,
		"--service-account-key-file="+cp.pkiFile(filePKISA+".crt"),
		"--service-account-signing-key-file="+cp.pkiFile(filePKISA+".key"),
		"--service-cluster-ip-range=10.96.0.0/16",
		"--allow-privileged",
	)
	p.healthy = answers(cp.pki.client, host+"/readyz")
	return p, host, nil
}

// startAround starts what works beside the API server: the controllers, the
// scheduler, the nodes and the registry.
func (cp *ControlPlane) startAround(ctx context.Context) error {
	manager, err := cp.controllerManager()
	if err != nil {
		return err
	}
	scheduler, err := cp.scheduler()
	if err != nil {
		return err
	}
	kwok, err := cp.kwok()
	if err != nil {
		return err
	}
	registry, err := cp.ociRegistry()
	if err != nil {
		return err
	}
	if err := cp.createNodes(ctx); err != nil {
		return err
	}
	// Core's roles are there before the controllers, so that these aggregate
	// them with their first look.
	if err := cp.applyChart(ctx); err != nil {
		return err
	}
	return cp.startStage(ctx, manager, scheduler, kwok, registry)
}

func (cp *ControlPlane) controllerManager() (*process, error) {
	args, health, err := cp.controllerArgs("system:kube-controller-manager")
	if err != nil {
		return nil, err
	}
	p := cp.newProcess(ControllerManager, toolControllerManager, append(args,
		"--use-service-account-credentials",
		"--service-account-private-key-file="+cp.pkiFile(filePKISA+".key"),
		"--root-ca-file="+cp.pkiFile(filePKICA),
	)...)
	p.healthy = answers(cp.pki.client, health)
	return p, nil
}

func (cp *ControlPlane) scheduler() (*process, error) {
	args, health, err := cp.controllerArgs("system:kube-scheduler")
	if err != nil {
		return nil, err
	}
	p := cp.newProcess(Scheduler, toolScheduler, args...)
	p.healthy = answers(cp.pki.client, health)
	return p, nil
}

// controllerArgs returns the arguments that the controller manager and the
// scheduler share, and the URL of their health. Each acts as the user that the
// API server has bound its role to.
func (cp *ControlPlane) controllerArgs(user string) (args []string, health string, err error) {
	port, err := cp.ports.take()
	if err != nil {
		return nil, "", err
	}
	kubeconfig, err := cp.userKubeconfig(user)
	if err != nil {
		return nil, "", err
	}
	return []string{
		"--kubeconfig=" + kubeconfig,
		"--authentication-kubeconfig=" + kubeconfig, "--authorization-kubeconfig=" + kubeconfig,
		"--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port),
		"--tls-cert-file=" + cp.pkiFile(filePKIServing+".crt"), "--tls-private-key-file=" + cp.pkiFile(filePKIServing+".key"),
		"--leader-elect=false",
		// A thousand replicas at once are a test of ours, and must not wait for
		// the default of some twenty calls a second.
		"--kube-api-qps=500", "--kube-api-burst=1000",
	}, "https://" + loopback(port) + "/healthz", nil
}

// userKubeconfig writes the kubeconfig of a system user.
func (cp *ControlPlane) userKubeconfig(user string, groups ...string) (string, error) {
	p, err := cp.pki.ca.issue(user, groups, nil)
	if err != nil {
		return "", err
	}
	path := cp.pkiFile(user + ".kubeconfig")
	return path, writeKubeconfig(path, certificateConfig(cp.admin.Host, cp.pki.ca, p), "default")
}

func (cp *ControlPlane) ociRegistry() (*process, error) {
	port, err := cp.ports.take()
	if err != nil {
		return nil, err
	}
	// By this name clients know that it speaks plain HTTP.
	cp.registry = fmt.Sprintf("localhost:%d", port)
	p := cp.newProcess(OCIRegistry, toolCrane, "registry", "serve", "--address="+loopback(port), "--disk="+cp.dir.join(dirRegistry))
	p.healthy = answers(cp.pki.client, "http://"+loopback(port)+"/v2/")
	return p, nil
}

func (cp *ControlPlane) pkiFile(name string) string { return cp.dir.join(dirPKI, name) }
