package echo

import (
	"time"

	"my-operator.dev/echo/fn/app"

	"my-operator.dev/echo/fn/composition"
	"my-operator.dev/echo/fn/workload"
)

// Compose answers what an Echo should be made of. It is a function of the
// request alone, but for Pods that keep ending and for what the API server has
// refused: when to try again is a matter of the time, now.
func Compose(req *composition.Request, now time.Time) *composition.Response {
	xr, in, rejection := read(req)
	if rejection != nil {
		return composition.Fatal(rejection, rejection.condition())
	}

	c := newComposer(req, xr, in, now)
	if err := c.compose(); err != nil {
		return composition.Fatal(err)
	}

	return c.rsp
}

// A composer is one call's worth of work.
type composer struct {
	req *composition.Request
	xr  *composite
	app *app.App
	now time.Time

	buckets []bucket
	taken   []string // what could not be composed because its name is taken
	refused []string // what could not be composed because the API server refuses it
	rsp     *composition.Response
}

func newComposer(req *composition.Request, xr *composite, in *app.Policy, now time.Time) *composer {
	return &composer{req: req, xr: xr, app: newApp(xr, in), now: now, rsp: &composition.Response{
		Resources:    map[string]composition.Resource{},
		Requirements: map[string]composition.Selector{},
		Schemas:      map[string]composition.Kind{},
	}}
}

func (c *composer) compose() error {
	if err := c.readBuckets(); err != nil {
		return err
	}

	template, err := workload.NewTemplate(c.app)
	if err != nil {
		return err
	}

	f, err := c.workload(template)
	if err != nil {
		return err
	}

	done := f.done(c.app.Replicas())

	if err := c.files(done); err != nil {
		return err
	}

	for _, compose := range []func() error{c.service, c.ingress, c.autoscaler, c.budget, c.podMonitor, c.storage} {
		if err := compose(); err != nil {
			return err
		}
	}

	if !done {
		c.await(&f)
	}

	c.withhold(&f)
	c.report(f, done)
	c.lookAgain()
	c.announce()

	return nil
}
