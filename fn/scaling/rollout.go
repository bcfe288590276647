package scaling

import "my-operator.dev/echo/fn/app"

// defaultBound is what a Deployment takes for both bounds of a rollout.
var defaultBound = app.Percent(25)

// Rollout is how many Pods more than its replicas an App may have during a
// rollout, and how many of them may be unavailable.
func Rollout(a *app.App) (surge, unavailable int) {
	s, u := defaultBound, defaultBound

	if r := a.Spec.Rollout; r != nil {
		if r.MaxSurge != nil {
			s = *r.MaxSurge
		}

		if r.MaxUnavailable != nil {
			u = *r.MaxUnavailable
		}
	}

	surge, unavailable = s.Of(a.Replicas(), true), u.Of(a.Replicas(), false)

	if surge == 0 && unavailable == 0 {
		// Rounding has made nothing of both. A Deployment does the same.
		unavailable = 1
	}

	return surge, unavailable
}
