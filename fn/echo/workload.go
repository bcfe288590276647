package echo

import (
	"fmt"

	"my-operator.dev/echo/fn/app"

	"my-operator.dev/echo/fn/composition"
	"my-operator.dev/echo/fn/observed"
	"my-operator.dev/echo/fn/podset"
	"my-operator.dev/echo/fn/workload"
)

// workload composes what runs the Pods. Where the Echo is switched from one
// workload to the other, that of before stays as it is until the new one has
// taken over, so that the Echo is available throughout.
func (c *composer) workload(t workload.Template) (facts, error) {
	if c.runs() == app.WorkloadDeployment {
		f, err := c.deployment(t)
		if err != nil || f.done(c.app.Replicas()) {
			return f, err
		}

		return c.keepPods(f)
	}

	f, err := c.pods(t)
	if err != nil || f.done(c.app.Replicas()) {
		return f, err
	}

	return c.keepDeployment(f)
}

// runs is what runs the Pods: what the spec asks for, unless that would have to
// wait for something, and what there is runs well by itself until then.
func (c *composer) runs() app.Workload {
	if !c.held() {
		return c.app.Spec.Workload
	}

	pods := false

	for key := range c.req.Observed {
		_, _, pod := parsePodKey(key)
		pods = pods || pod
	}

	switch deployment := c.exists(keyDeployment); {
	case deployment && !pods:
		return app.WorkloadDeployment
	case pods && !deployment:
		return app.WorkloadPods
	default:
		return c.app.Spec.Workload
	}
}

func (c *composer) deployment(t workload.Template) (facts, error) {
	f := facts{}

	if s, ok := c.req.Observed[keyDeployment]; ok {
		d, err := observed.ReadDeployment(s)
		if err != nil {
			return f, fmt.Errorf("cannot read observed resource %q: %w", keyDeployment, err)
		}

		f = deploymentFacts(d, t.Hash)
	}

	// A Deployment's own word for what holds it up is seldom more than that it
	// waits. Its Pods know more.
	if !f.verdict.Ready {
		if err := c.explain(&f); err != nil {
			return f, err
		}
	}

	if c.held() {
		return f, c.holdDeployment()
	}

	return f, c.named(keyDeployment, kindDeployment, c.app.Name, workload.NewDeployment(c.app, t), f.verdict.Ready)
}

// holdDeployment keeps the template of a Deployment, if there is one, for as long
// as the latest cannot be rolled out.
func (c *composer) holdDeployment() error {
	s, ok := c.req.Observed[keyDeployment]
	if !ok {
		return nil
	}

	spec, err := observed.ReadSpec(s)
	if err != nil {
		return fmt.Errorf("cannot read observed resource %q: %w", keyDeployment, err)
	}

	held, err := workload.HoldDeployment(c.app, spec)
	c.rsp.Resources[keyDeployment] = composition.Resource{Object: held}

	return err
}

// keyPods is the requirement for all Pods of the Echo, whoever made them.
const keyPods = "pods"

func (c *composer) requirePods() {
	c.rsp.Requirements[keyPods] = composition.Selector{
		Kind:      composition.Kind{APIVersion: "v1", Kind: "Pod"},
		Namespace: c.app.Namespace,
		Labels:    c.app.Selector(),
	}
}

// explain looks at the Pods of a Deployment that is not ready for one that is
// stuck.
func (c *composer) explain(f *facts) error {
	c.requirePods()

	for _, s := range c.req.Required[keyPods] {
		p, err := observed.ReadPod(s)
		if err != nil {
			return fmt.Errorf("cannot read a Pod of the Deployment: %w", err)
		}

		f.blame(newMember("", "", 0, p))
	}

	return nil
}

// keepPods keeps the Pods of before while a Deployment takes over.
func (c *composer) keepPods(f facts) (facts, error) {
	members, err := c.members()
	if err != nil {
		return f, err
	}

	for key, m := range members {
		if m.plan.Terminating || m.plan.State == podset.Finished {
			continue
		}

		pod, err := workload.KeepPod(c.app, m.pod, m.plan.Template, m.plan.Attempt)
		if err != nil {
			return f, err
		}

		f.add(m)
		c.rsp.Resources[key] = composition.Resource{Object: pod, Ready: m.verdict.Ready}
	}

	return f, nil
}

// keepDeployment keeps the Deployment of before while Pods take over.
func (c *composer) keepDeployment(f facts) (facts, error) {
	s, ok := c.req.Observed[keyDeployment]
	if !ok {
		return f, nil
	}

	d, err := observed.ReadDeployment(s)
	if err != nil {
		return f, fmt.Errorf("cannot read observed resource %q: %w", keyDeployment, err)
	}

	spec, err := observed.ReadSpec(s)
	if err != nil {
		return f, fmt.Errorf("cannot read observed resource %q: %w", keyDeployment, err)
	}

	f.current += int(d.Status.Replicas)
	f.ready += int(d.Status.ReadyReplicas)
	c.rsp.Resources[keyDeployment] = composition.Resource{Object: workload.KeepDeployment(c.app, spec), Ready: true}

	return f, nil
}
