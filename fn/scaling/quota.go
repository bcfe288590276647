package scaling

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"my-operator.dev/echo/fn/app"
	"my-operator.dev/echo/fn/observed"
)

// Room is how many more Pods of an App the quotas of its namespace allow, and
// what is used up if that is not any number: "quota team: pods: 3 of 3 used".
// Quotas with scopes are left to the API server, which knows what they hold for.
func Room(a *app.App, quotas []*observed.Quota) (int, string) {
	room, full := math.MaxInt32, ""

	for _, q := range quotas {
		if q.Scoped() {
			continue
		}

		for _, name := range slices.Sorted(maps.Keys(q.Status.Hard)) {
			hard, used := app.Amount(q.Status.Hard[name]), app.Amount(q.Status.Used[name])

			if n, counts := fits(hard, used, needs(a.Spec.Resources, name)); counts && n < room {
				room = n
				full = fmt.Sprintf("quota %s: %s: %s of %s used", q.Metadata.Name, name, used, hard)
			}
		}
	}

	return room, full
}

// needs is how much of what a quota counts by the given name a Pod takes, see
// https://kubernetes.io/docs/concepts/policy/resource-quotas/. The zero Amount
// is none.
func needs(r *app.Resources, name string) app.Amount {
	if name == "pods" || name == "count/pods" {
		return "1"
	}

	if limit, ok := strings.CutPrefix(name, "limits."); ok {
		return r.Limits[limit]
	}

	request := strings.TrimPrefix(name, "requests.")
	if each, ok := r.Requests[request]; ok {
		return each
	}

	// A limit counts as a request where there is none.
	return r.Limits[request]
}

// fits is how many times more an amount fits; false if it does not count.
func fits(hard, used, each app.Amount) (int, bool) {
	h, ok := hard.Value()
	u, _ := used.Value() // None is used yet where there is no word of it.
	e, needed := each.Value()

	if !ok || !needed || e <= 0 {
		return 0, false
	}

	// Decimal fractions come out a little too small now and then.
	n := math.Floor((h-u)/e + 1e-9)

	return int(math.Max(0, math.Min(n, math.MaxInt32))), true
}
