package controlplane

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// Secrets that Crossplane's initializer makes.
const (
	secretRootCA     = "crossplane-root-ca"
	secretServerCert = "crossplane-tls-server"
	secretClientCert = "crossplane-tls-client"
)

// imageConfig lets packages be named as they are published, and be pulled from
// the loopback registry.
const imageConfig = `
apiVersion: pkg.crossplane.io/v1beta1
kind: ImageConfig
metadata:
  name: loopback-registry
spec:
  matchImages:
  - type: Prefix
    prefix: %s
  rewriteImage:
    prefix: %s
`

// startCrossplane initializes Crossplane, and starts core and the RBAC manager.
func (cp *ControlPlane) startCrossplane(ctx context.Context) error {
	core, err := cp.serviceAccountEnvironment(ctx, "crossplane")
	if err != nil {
		return err
	}
	if err := cp.initCrossplane(ctx, core); err != nil {
		return err
	}
	if err := cp.apply(ctx, fmt.Appendf(nil, imageConfig, cp.options.PackageHost, cp.registry)); err != nil {
		return errors.Wrap(err, "cannot point packages at the loopback registry")
	}
	server, err := cp.core(ctx, core)
	if err != nil {
		return err
	}
	manager, err := cp.rbacManager(ctx)
	if err != nil {
		return err
	}
	return cp.startStage(ctx, server, manager)
}

// initCrossplane runs the initializer until it succeeds. Its rights are there
// only when the controller manager has aggregated them, and it does not wait for
// the CRDs it makes to be served, so that the first run or two may fail.
func (cp *ControlPlane) initCrossplane(ctx context.Context, env []string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, errors.Errorf("waited %s", startTimeout))
	defer cancel()

	data, started := cp.tool(toolData), time.Now()
	for {
		out := bytes.Buffer{}
		cmd := exec.CommandContext(ctx, cp.tool(toolCore), "core", "init",
			"--enable-webhooks=false",
			"--cr-ds-path="+filepath.Join(data, "crds"),
			"--webhook-configurations-path="+filepath.Join(data, "webhookconfigurations"),
			"--tlsca-secret-name="+secretRootCA,
			"--tls-server-secret-name="+secretServerCert,
			"--tls-client-secret-name="+secretClientCert,
			"--activation", "*",
		)
		cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = env, cp.dir.path, &out, &out
		err := cmd.Run()
		// The log is for whoever looks into a failure; without it the error
		// below still holds the output of the last run.
		_ = os.WriteFile(cp.Log("crossplane-init"), out.Bytes(), 0o600)
		if err == nil {
			cp.progress("crossplane is initialized after %.1f s", time.Since(started).Seconds())
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Wrapf(err, "cannot initialize crossplane (%s): %s", context.Cause(ctx), out.String())
		case <-time.After(250 * time.Millisecond):
		}
	}
}

func (cp *ControlPlane) core(ctx context.Context, env []string) (*process, error) {
	certs := cp.dir.join(dirTLS)
	if err := cp.writeSecret(ctx, secretClientCert, certs); err != nil {
		return nil, err
	}
	metrics, err := cp.ports.take()
	if err != nil {
		return nil, err
	}
	health, err := cp.ports.take()
	if err != nil {
		return nil, err
	}
	p := cp.newProcess(Core, toolCore, append([]string{
		"core", "start",
		"--enable-webhooks=false",
		"--package-runtime=External",
		"--tls-client-certs-dir=" + certs, "--tls-server-certs-dir=" + certs,
		"--tls-client-secret-name=" + secretClientCert, "--tls-server-secret-name=" + secretServerCert,
		"--cache-dir=" + cp.dir.join(dirXpkg), "--xfn-cache-dir=" + cp.dir.join(dirXpkg),
		fmt.Sprintf("--metrics-port=%d", metrics), fmt.Sprintf("--health-probe-port=%d", health),
	}, cp.options.CoreArgs...)...)
	p.env = env
	p.healthy = answers(cp.pki.client, "http://"+loopback(health)+"/readyz")
	return p, nil
}

// rbacManager has no port to ask for its health. Whoever needs its work waits
// for that: a package is not healthy before core may watch what it brings.
func (cp *ControlPlane) rbacManager(ctx context.Context) (*process, error) {
	env, err := cp.serviceAccountEnvironment(ctx, "rbac-manager")
	if err != nil {
		return nil, err
	}
	p := cp.newProcess(RBACManager, toolCore, "rbac", "start", "--provider-clusterrole=crossplane:allowed-provider-permissions")
	p.env = env
	p.healthy = func(context.Context) error { return nil }
	return p, nil
}

// serviceAccountEnvironment returns the environment of a process that acts as a
// service account in Crossplane's namespace.
func (cp *ControlPlane) serviceAccountEnvironment(ctx context.Context, account string) ([]string, error) {
	c, err := cp.serviceAccountConfig(ctx, Namespace, account)
	if err != nil {
		return nil, err
	}
	path := cp.pkiFile(account + ".kubeconfig")
	if err := writeKubeconfig(path, c, Namespace); err != nil {
		return nil, err
	}
	return append(cp.environment(), "KUBECONFIG="+path, "POD_NAMESPACE="+Namespace, "POD_SERVICE_ACCOUNT="+account), nil
}

// serviceAccountConfig returns a client configuration with a token of a service
// account that exists.
func (cp *ControlPlane) serviceAccountConfig(ctx context.Context, namespace, account string) (*rest.Config, error) {
	// A kubelet would renew the token; the processes here read it once.
	seconds := int64(validity / time.Second)
	rq := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &seconds}}
	rsp, err := cp.clients.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, account, rq, metav1.CreateOptions{})
	if err != nil {
		return nil, errors.Wrapf(err, "cannot get a token of service account %s", account)
	}
	return tokenConfig(cp.admin.Host, cp.pki.ca, rsp.Status.Token), nil
}

// writeSecret writes each key of a Secret in Crossplane's namespace to a file.
func (cp *ControlPlane) writeSecret(ctx context.Context, name, dir string) error {
	s := &corev1.Secret{}
	if err := cp.client.Get(ctx, types.NamespacedName{Namespace: Namespace, Name: name}, s); err != nil {
		return errors.Wrapf(err, "cannot get Secret %s", name)
	}
	for key, value := range s.Data {
		if err := os.WriteFile(filepath.Join(dir, key), value, 0o600); err != nil {
			return errors.Wrapf(err, "cannot write %s of Secret %s", key, name)
		}
	}
	return nil
}
