package echo

import (
	"time"

	"my-operator.dev/echo/fn/composition"
	"my-operator.dev/echo/fn/network"
	"my-operator.dev/echo/fn/observed"
	"my-operator.dev/echo/fn/workload"

	echov1 "my-operator.dev/echo/apis/my-operator/v1"
)

// Keys of the composed resources. A key is a resource's identity: Crossplane
// deletes what loses its key.
const (
	keyService    = "service"
	keyDeployment = "deployment"
	keyPodPrefix  = "pod-"
)

// Kinds that are composed under a name that the tenant knows.
var (
	kindService    = composition.Kind{APIVersion: "v1", Kind: "Service"}
	kindDeployment = composition.Kind{APIVersion: "apps/v1", Kind: "Deployment"}
)

// Compose answers what an Echo should be made of. It is a function of the
// request alone, but for Pods that keep ending: when the next one is due is a
// matter of the time, now.
func Compose(req *composition.Request, now time.Time) *composition.Response {
	xr, a, err := read(req)
	if err != nil {
		return composition.Fatal(err, rejected(err))
	}

	c := &composer{req: req, uid: xr.Metadata.UID, app: a, now: now, rsp: &composition.Response{
		Resources:    map[string]composition.Resource{},
		Requirements: map[string]composition.Selector{},
	}}

	if err := c.compose(); err != nil {
		return composition.Fatal(err)
	}

	return c.rsp
}

// A composer is one call's worth of work.
type composer struct {
	req *composition.Request
	uid string
	app *workload.App
	now time.Time

	taken []string // what could not be composed because its name is taken
	rsp   *composition.Response
}

func (c *composer) compose() error {
	template, err := workload.NewTemplate(c.app)
	if err != nil {
		return err
	}

	var f facts

	if c.app.Spec.Workload == echov1.WorkloadDeployment {
		f, err = c.deployment(template)
	} else {
		f, err = c.pods(template)
	}

	if err != nil {
		return err
	}

	if err := c.service(); err != nil {
		return err
	}

	c.report(f)

	return nil
}

// named composes an object under the App's own name, unless somebody else has
// the name.
func (c *composer) named(key string, kind composition.Kind, r composition.Resource) error {
	l, err := lookUp(c.req, c.uid, c.app, key, kind)
	if err != nil {
		return err
	}

	if l.selector != nil {
		c.rsp.Requirements[key] = *l.selector
	}

	if l.taken != "" {
		c.taken = append(c.taken, l.taken)
		c.rsp.NotReady = true
	}

	if l.free {
		c.rsp.Resources[key] = r
	}

	return nil
}

func (c *composer) service() error {
	if len(c.app.Spec.Ports) == 0 {
		return nil
	}

	_, exists := c.req.Observed[keyService]

	return c.named(keyService, kindService, composition.Resource{Object: network.NewService(c.app), Ready: exists})
}

func (c *composer) deployment(t workload.Template) (facts, error) {
	f := facts{}
	ready := false

	if s, ok := c.req.Observed[keyDeployment]; ok {
		d, err := observed.ReadDeployment(s)
		if err != nil {
			return f, err
		}

		f = deploymentFacts(d)
		ready = f.verdict.Ready
	}

	return f, c.named(keyDeployment, kindDeployment, composition.Resource{Object: workload.NewDeployment(c.app, t), Ready: ready})
}
