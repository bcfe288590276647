package controlplane_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/test/controlplane"
)

// TestSideBySide runs two control planes at once. Each makes a Deployment's Pods
// run on its own nodes, neither sees the other's, and nothing of either is left
// when they stop.
func TestSideBySide(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()

	cps := make([]*controlplane.ControlPlane, 2)
	g := errgroup.Group{}
	for i := range cps {
		g.Go(func() error {
			var err error
			cps[i], err = controlplane.Start(ctx, controlplane.Options{Nodes: i + 1, Progress: t.Output()})
			return err
		})
	}
	err := g.Wait()
	for _, cp := range cps {
		if cp != nil {
			defer func() { _ = cp.Stop() }()
		}
	}
	if err != nil {
		t.Fatal(err)
	}

	for i, cp := range cps {
		nodes := &corev1.NodeList{}
		if err := cp.Client().List(ctx, nodes); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(i+1, len(nodes.Items)); diff != "" {
			t.Errorf("nodes of control plane %d: -want, +got:\n%s", i, diff)
		}
		if err := runDeployment(ctx, cp.Client(), fmt.Sprintf("only-in-%d", i)); err != nil {
			t.Errorf("control plane %d: %v", i, err)
		}
		deployments := &appsv1.DeploymentList{}
		if err := cp.Client().List(ctx, deployments, client.InNamespace("default")); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(1, len(deployments.Items)); diff != "" {
			t.Errorf("deployments of control plane %d: -want, +got:\n%s", i, diff)
		}
	}

	for i, cp := range cps {
		pids := cp.Components()
		if err := cp.Stop(); err != nil {
			t.Errorf("control plane %d: Stop(): %v", i, err)
		}
		for name, pid := range pids {
			if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); err == nil {
				t.Errorf("control plane %d: %s still runs as process %d", i, name, pid)
			}
		}
		if _, err := os.Stat(cp.WorkDir()); err == nil {
			t.Errorf("control plane %d: %s still exists", i, cp.WorkDir())
		}
	}
}

// runDeployment creates a Deployment of two replicas, and waits until they are
// ready.
func runDeployment(ctx context.Context, c client.Client, name string) error {
	replicas, labels := int32(2), map[string]string{"app": name}
	d := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "nginx"}}},
			},
		},
	}
	if err := c.Create(ctx, d); err != nil {
		return fmt.Errorf("cannot create Deployment: %w", err)
	}
	for {
		if err := c.Get(ctx, client.ObjectKeyFromObject(d), d); err != nil {
			return fmt.Errorf("cannot get Deployment: %w", err)
		}
		if d.Status.ReadyReplicas == replicas {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d of %d replicas are ready: %w", d.Status.ReadyReplicas, replicas, ctx.Err())
		case <-time.After(100 * time.Millisecond):
		}
	}
}
