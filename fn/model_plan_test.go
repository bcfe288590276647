package main

import (
	"slices"
	"strings"
)

const labelTemplate = "my-operator.dev/template"

// checkPods: what is decided about Pods keeps to the bounds of a rollout, lets go
// of the right ones, and keeps names.
func (w *world) checkPods(c *call) {
	desired := c.response.GetDesired().GetResources()
	before, after, kept, observed := 0, 0, 0, 0

	var let, stay []*stored

	for key, s := range c.observed {
		o := s.tree
		_, keep := desired[key]

		switch {
		case s.terminating():
		case text(o, "kind") == "Deployment":
			n := number(o, "status", "availableReplicas")
			before += n
			observed++

			if keep {
				after += n
			}
		case text(o, "kind") == "Pod":
			if s.ready() {
				before++
			}

			if !keep {
				let = append(let, s)
				continue
			}

			kept++

			stay = append(stay, s)

			if s.ready() {
				after++
			}
		}
	}

	_, unavailable := w.bounds()
	if floor := min(before, w.replicas()-unavailable); after < floor {
		w.fail("leaves %d available of %d, and at least %d must stay: %s", after, before, floor, w.summary())
	}

	if w.workload() == "Pods" {
		w.checkSurge(c, after)
		w.checkLetGo(let, stay)
	}
}

func (w *world) checkSurge(c *call, available int) {
	n := 0

	for key := range c.response.GetDesired().GetResources() {
		// One that is terminating is kept to be seen, and counts as gone.
		if s := c.observed[key]; strings.HasPrefix(key, "pod-") && (s == nil || !s.terminating()) {
			n++
		}
	}

	surge, _ := w.bounds()
	if most := max(w.replicas()+surge, available); n > most {
		w.fail("wants %d Pods, and at most %d may be: %s", n, most, w.summary())
	}
}

// checkLetGo: of the Pods of one template, no ready one goes while an unready one
// stays, and no older one while a newer one stays.
func (w *world) checkLetGo(let, stay []*stored) {
	same := func(a, b *stored) bool {
		return text(a.tree, "metadata", "labels", labelTemplate) == text(b.tree, "metadata", "labels", labelTemplate)
	}

	for _, l := range let {
		if l.life.stage == ended {
			continue
		}

		worse := slices.ContainsFunc(stay, func(s *stored) bool {
			older := text(l.tree, "metadata", "creationTimestamp") < text(s.tree, "metadata", "creationTimestamp")
			return same(l, s) && (l.ready() && !s.ready() || l.ready() == s.ready() && s.life.stage != ended && older)
		})
		if worse {
			w.fail("lets %s go before one that is missed less: %s", text(l.tree, "metadata", "name"), w.summary())
		}
	}
}
