package controlplane

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// kwokAnnotation marks the nodes that kwok plays.
const kwokAnnotation = "kwok.x-k8s.io/node"

// kwok plays the kubelets: its stages make a Pod that is bound to a fake node
// Running at once, and let it go when it is deleted. It gives each node more
// room than tests can fill.
func (cp *ControlPlane) kwok() (*process, error) {
	port, err := cp.ports.take()
	if err != nil {
		return nil, err
	}
	// Kubelets act as their nodes. One user for all of them is a
	// simplification that nothing under test can see.
	kubeconfig, err := cp.userKubeconfig("kwok", groupMasters)
	if err != nil {
		return nil, err
	}
	args := []string{
		"--kubeconfig=" + kubeconfig,
		"--manage-all-nodes=false", "--manage-nodes-with-annotation-selector=" + kwokAnnotation + "=fake",
		"--node-lease-duration-seconds=40",
		"--server-address=" + loopback(port),
	}
	stages, err := filepath.Glob(filepath.Join(cp.tool(toolData), "stages", "*", "*-*.yaml"))
	if err != nil {
		return nil, errors.Wrap(err, "cannot find the stages of fake nodes and Pods")
	}
	for _, s := range stages {
		args = append(args, "--config="+s)
	}
	p := cp.newProcess(Kwok, toolKwok, args...)
	p.healthy = answers(cp.pki.client, "http://"+loopback(port)+"/healthz")
	return p, nil
}

// createNodes creates the fake nodes, each in a zone of its own.
func (cp *ControlPlane) createNodes(ctx context.Context) error {
	for i := range cp.options.Nodes {
		name := fmt.Sprintf("node-%d", i)
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{
			Name:        name,
			Annotations: map[string]string{kwokAnnotation: "fake"},
			Labels: map[string]string{
				corev1.LabelHostname:     name,
				corev1.LabelTopologyZone: fmt.Sprintf("zone-%d", i),
				corev1.LabelOSStable:     "linux",
				corev1.LabelArchStable:   runtime.GOARCH,
			},
		}}
		if err := cp.client.Create(ctx, n); err != nil {
			return errors.Wrapf(err, "cannot create %s", name)
		}
	}
	return nil
}
