package echo

import (
	"fmt"
	"strconv"
	"strings"

	"my-operator.dev/echo/fn/composition"
	"my-operator.dev/echo/fn/observed"
	"my-operator.dev/echo/fn/podset"
	"my-operator.dev/echo/fn/readiness"
	"my-operator.dev/echo/fn/workload"
)

// A member is an observed Pod of the App, and what it was found to be.
type member struct {
	pod     *observed.Pod
	plan    podset.Pod
	verdict readiness.Verdict
}

// pods composes Pods that are managed one by one.
func (c *composer) pods(t workload.Template) (facts, error) {
	members, err := c.members()
	if err != nil {
		return facts{}, err
	}

	observed := make([]podset.Pod, 0, len(members))
	for _, m := range members {
		observed = append(observed, m.plan)
	}

	replicas := c.app.Replicas()
	plan := podset.New(podset.Goal{
		Replicas: replicas,
		// As a Deployment does by default: a quarter more, rounded up, and a
		// quarter less, rounded down.
		MaxSurge:       (replicas + 3) / 4,
		MaxUnavailable: replicas / 4,
		Template:       t.Hash,
	}, observed, c.now)

	for _, p := range plan.Keep {
		m := members[p.Slot]
		r := composition.Resource{Object: workload.NewPod(c.app, t, p.Attempt), Ready: m.verdict.Ready}

		if p.Template != t.Hash {
			// Ready or not, it is not what was asked for.
			r = composition.Resource{Object: workload.KeepPod(c.app, m.pod, p.Attempt)}
		}

		c.rsp.Resources[podKey(p.Slot)] = r
	}

	for _, p := range plan.Create {
		c.rsp.Resources[podKey(p.Slot)] = composition.Resource{Object: workload.NewPod(c.app, t, p.Attempt)}
	}

	c.rsp.Requeue = plan.Wait

	return podFacts(members, t.Hash), nil
}

// members are the App's observed Pods, by slot.
func (c *composer) members() (map[int]*member, error) {
	members := map[int]*member{}

	for key, s := range c.req.Observed {
		slot, ok := podSlot(key)
		if !ok {
			continue
		}

		p, err := observed.ReadPod(s)
		if err != nil {
			return nil, fmt.Errorf("cannot read observed resource %q: %w", key, err)
		}

		members[slot] = newMember(slot, p)
	}

	return members, nil
}

func newMember(slot int, p *observed.Pod) *member {
	m := &member{pod: p, verdict: readiness.Pod(p), plan: podset.Pod{
		Slot:        slot,
		Template:    p.Metadata.Labels[workload.LabelTemplate],
		State:       podset.Unready,
		Terminating: p.Terminating(),
		Created:     p.Metadata.CreationTimestamp.Time,
	}}

	// What is not a number counts as none: the annotation is anybody's to edit.
	m.plan.Attempt, _ = strconv.Atoi(p.Metadata.Annotations[workload.AnnotationAttempt])

	switch {
	case p.Finished():
		m.plan.State = podset.Finished
		m.plan.Finished = p.FinishedAt()
	case m.verdict.Ready:
		m.plan.State = podset.Ready
	}

	return m
}

func podKey(slot int) string { return keyPodPrefix + strconv.Itoa(slot) }

func podSlot(key string) (int, bool) {
	s, ok := strings.CutPrefix(key, keyPodPrefix)
	if !ok {
		return 0, false
	}

	slot, err := strconv.Atoi(s)

	return slot, err == nil && slot >= 0 && podKey(slot) == key
}
