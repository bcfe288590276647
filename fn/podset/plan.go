package podset

import (
	"cmp"
	"slices"
	"time"
)

// A Goal is what is asked for.
type Goal struct {
	// Replicas is the number of Pods wanted.
	Replicas int
	// MaxSurge is how many Pods more than that there may be during a rollout.
	MaxSurge int
	// MaxUnavailable is how many of the replicas may be unavailable during a
	// rollout. One of the two must be positive, or no rollout gets anywhere.
	MaxUnavailable int
	// Template is the hash of the template that all Pods should be made from.
	Template string
}

// A Plan says what to do with the set. Pods that are neither kept nor created
// are let go.
type Plan struct {
	// Keep are the observed Pods to keep as they are, by slot.
	Keep []Pod
	// Create are the Pods to make, by slot.
	Create []Creation
	// Wait is how long until a Pod that keeps ending is due for replacement;
	// zero if none is waiting.
	Wait time.Duration
}

// A Creation is a Pod to make.
type Creation struct {
	Slot int
	// Attempt counts the Pods before this one that ended early.
	Attempt int
}

// New plans how to get from the observed Pods to the goal at the time now. The
// time only matters to Pods that keep ending. More slots may be taken than those
// of the observed Pods.
func New(goal Goal, observed []Pod, taken []int, now time.Time) Plan {
	s := sort(goal, observed, now)

	s.current = fewest(s.current, goal.Replicas)
	s.replaced = s.replaced[:min(len(s.replaced), goal.Replicas-len(s.current))]
	s.letOldGo(goal)
	s.makeRoom(goal)

	plan := Plan{Keep: slices.Concat(s.current, s.old), Wait: wait(s.current, now)}
	slices.SortFunc(plan.Keep, func(a, b Pod) int { return cmp.Compare(a.Slot, b.Slot) })
	plan.Create = s.create(goal, observed, taken)

	return plan
}

// A set is the observed Pods that count, sorted by what may become of them.
type set struct {
	current  []Pod // of the goal's template
	old      []Pod // of another
	replaced []int // attempts of the Pods due to replace ones that ended
}

func sort(goal Goal, observed []Pod, now time.Time) set {
	s := set{current: make([]Pod, 0, len(observed))} // Mostly all are.

	for _, p := range observed {
		switch {
		case p.Terminating:
		case p.Template != goal.Template && p.State == Finished:
			// What made it end may well be mended by the new template.
		case p.Template != goal.Template:
			s.old = append(s.old, p)
		case p.State != Finished:
			s.current = append(s.current, p)
		case now.Before(p.replaceAt()):
			// It stays until it is due, for people to see why it ended.
			s.current = append(s.current, p)
		default:
			s.replaced = append(s.replaced, p.nextAttempt())
		}
	}

	slices.SortFunc(s.current, dispensability)
	slices.SortFunc(s.old, dispensability)
	slices.Sort(s.replaced)
	slices.Reverse(s.replaced)

	return s
}

// wait is how long until the first of the Pods that ended is due for
// replacement; zero if none ended.
func wait(pods []Pod, now time.Time) time.Duration {
	var least time.Duration

	for _, p := range pods {
		if p.State != Finished {
			continue
		}

		if w := p.replaceAt().Sub(now); least == 0 || w < least {
			least = w
		}
	}

	return least
}

// dispensability orders Pods such that the first is missed least: the unready
// before the ready, then the newest, then the highest slot.
func dispensability(a, b Pod) int {
	return cmp.Or(
		cmp.Compare(a.State, b.State),
		b.Created.Compare(a.Created),
		cmp.Compare(b.Slot, a.Slot),
	)
}

// fewest lets the most dispensable Pods go until at most n are left.
func fewest(pods []Pod, n int) []Pod { return pods[max(0, len(pods)-n):] }

func ready(pods []Pod) int {
	n := 0

	for _, p := range pods {
		if p.State == Ready {
			n++
		}
	}

	return n
}

// letOldGo keeps as many Pods of other templates as are needed to have enough
// available. The unready help nobody and go at once.
func (s *set) letOldGo(goal Goal) {
	missing := goal.Replicas - goal.MaxUnavailable - ready(s.current)
	s.old = fewest(s.old, min(ready(s.old), max(0, missing)))
}

// makeRoom lets go of unready Pods of the goal's template while there are too
// many in all. That takes a set that shrinks while it rolls out: then Pods of
// another template may be all that is available, and they stay.
func (s *set) makeRoom(goal Goal) {
	excess := len(s.current) + len(s.old) - goal.Replicas - goal.MaxSurge
	unready := len(s.current) - ready(s.current)
	s.current = s.current[max(0, min(excess, unready)):]
}

// create plans as many Pods as are missing and as there is room for, in the
// lowest slots that are free. The slot of a Pod that is terminating is not: it
// names an object that still exists.
func (s *set) create(goal Goal, observed []Pod, slots []int) []Creation {
	n := min(goal.Replicas-len(s.current), goal.Replicas+goal.MaxSurge-len(s.current)-len(s.old))

	taken := make(map[int]bool, len(observed)+len(slots))
	for _, p := range observed {
		taken[p.Slot] = true
	}

	for _, slot := range slots {
		taken[slot] = true
	}

	var created []Creation

	for slot := 0; len(created) < n; slot++ {
		if taken[slot] {
			continue
		}

		c := Creation{Slot: slot}
		if i := len(created); i < len(s.replaced) {
			c.Attempt = s.replaced[i]
		}

		created = append(created, c)
	}

	return created
}
