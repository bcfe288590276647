package echo

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"my-operator.dev/echo/fn/composition"
	"my-operator.dev/echo/fn/observed"
	"my-operator.dev/echo/fn/podset"
	"my-operator.dev/echo/fn/readiness"
	"my-operator.dev/echo/fn/scaling"
	"my-operator.dev/echo/fn/workload"
)

// A member is an observed Pod of the App, and what it was found to be.
type member struct {
	key     string
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

	pods := make([]podset.Pod, 0, len(members))
	for _, m := range members {
		pods = append(pods, m.plan)
	}

	taken, err := c.slotsTaken()
	if err != nil {
		return facts{}, err
	}

	target, err := c.target(t, members)
	if err != nil {
		return facts{}, err
	}

	surge, unavailable := scaling.Rollout(c.app)
	plan := podset.New(podset.Goal{
		Replicas:       c.app.Replicas(),
		MaxSurge:       surge,
		MaxUnavailable: unavailable,
		Template:       target.Hash,
	}, pods, taken, c.now)

	for _, p := range plan.Keep {
		m := members[podKey(p.Template, p.Slot)]
		// Ready or not, one of another template is not what was asked for.
		r := composition.Resource{Ready: m.verdict.Ready && p.Template == t.Hash}

		if p.Template == t.Hash {
			r.Object = workload.NewPod(c.app, t, p.Attempt)
		} else if r.Object, err = workload.KeepPod(c.app, m.pod, p.Template, p.Attempt); err != nil {
			return facts{}, err
		}

		c.rsp.Resources[m.key] = r
	}

	c.rsp.Requeue = plan.Wait
	f := podFacts(members, t.Hash)

	if target.Hash != "" {
		err = c.create(plan.Create, target, &f)
	}

	return f, err
}

// target is the template to make Pods from: the latest, or for as long as that
// cannot be rolled out that of the newest Pod, so that the App scales and Pods
// that are lost are replaced. If there is none, no Pod can be made.
func (c *composer) target(latest workload.Template, members map[string]*member) (workload.Template, error) {
	if !c.held() {
		return latest, nil
	}

	var newest *member

	for _, key := range slices.Sorted(maps.Keys(members)) {
		if m := members[key]; newest == nil || m.plan.Created.After(newest.plan.Created) {
			newest = m
		}
	}

	if newest == nil {
		return workload.Template{}, nil
	}

	return workload.TemplateOf(c.app, newest.pod, newest.plan.Template)
}

// create composes new Pods, as many as the namespace's quotas have room for:
// asking for one too many would fail the whole composite, status and all, at
// every try.
func (c *composer) create(creations []podset.Creation, t workload.Template, f *facts) error {
	if len(creations) == 0 {
		return nil
	}

	c.requirePods()

	room, full, err := c.room()
	if err != nil {
		return err
	}

	if room < len(creations) {
		creations = creations[:room]
		f.culprit = full
		f.verdict = readiness.Verdict{Reason: readiness.ReasonQuotaExceeded, Message: "no room for another Pod", Stuck: true}
	}

	for _, p := range creations {
		c.rsp.Resources[podKey(t.Hash, p.Slot)] = composition.Resource{Object: workload.NewPod(c.app, t, p.Attempt)}
	}

	return nil
}

// keyQuotas is the requirement for the namespace's ResourceQuotas.
const keyQuotas = "quotas"

// room is how many more Pods the quotas of the namespace allow, and which one
// does not allow another.
func (c *composer) room() (int, string, error) {
	c.rsp.Requirements[keyQuotas] = composition.Selector{
		Kind:      composition.Kind{APIVersion: "v1", Kind: "ResourceQuota"},
		Namespace: c.app.Namespace,
	}

	quotas := make([]*observed.Quota, 0, len(c.req.Required[keyQuotas]))

	for _, s := range c.req.Required[keyQuotas] {
		q, err := observed.ReadQuota(s)
		if err != nil {
			return 0, "", fmt.Errorf("cannot read a ResourceQuota: %w", err)
		}

		quotas = append(quotas, q)
	}

	room, full := scaling.Room(c.app, quotas)

	return room, full, nil
}

// slotsTaken are the slots of all of the App's Pods, if Crossplane was asked for
// them. It forgets a Pod once it was let go, and from then on that is not observed.
// But for as long as it takes to end its name is in use: a Pod that was asked for
// under it would be the one that is ending.
func (c *composer) slotsTaken() ([]int, error) {
	var taken []int

	for _, s := range c.req.Required[keyPods] {
		key, err := observed.ReadKey(s)
		if err != nil {
			return nil, fmt.Errorf("cannot read a Pod of this Echo: %w", err)
		}

		if _, slot, ok := parsePodKey(key); ok {
			taken = append(taken, slot)
		}
	}

	return taken, nil
}

// members are the App's observed Pods, by key.
func (c *composer) members() (map[string]*member, error) {
	members := map[string]*member{}

	// In order, so that it is always the same one that is complained about.
	for _, key := range slices.Sorted(maps.Keys(c.req.Observed)) {
		template, slot, ok := parsePodKey(key)
		if !ok {
			continue
		}

		p, err := observed.ReadPod(c.req.Observed[key])
		if err != nil {
			return nil, fmt.Errorf("cannot read observed resource %q: %w", key, err)
		}

		members[key] = newMember(key, template, slot, p)
	}

	return members, nil
}

func newMember(key, template string, slot int, p *observed.Pod) *member {
	m := &member{key: key, pod: p, verdict: readiness.Pod(p), plan: podset.Pod{
		Slot:        slot,
		Template:    template,
		State:       podset.Unready,
		Terminating: p.Terminating(),
		Created:     p.Metadata.CreationTimestamp,
	}}

	// What is not a number counts as none: the annotation is anybody's to edit.
	if attempt := p.Metadata.Annotations.Attempt; attempt != "" {
		m.plan.Attempt, _ = strconv.Atoi(attempt)
	}

	switch {
	case p.Finished():
		m.plan.State = podset.Finished
		m.plan.Finished = p.FinishedAt()
	case m.verdict.Ready:
		m.plan.State = podset.Ready
	}

	return m
}

// podKey is the key of a Pod, pod-TEMPLATE-SLOT, from which Crossplane derives
// its name. A Pod that was let go keeps its name until it has ended, which nobody
// sees from here. With the template in its key no Pod is ever asked for under the
// name of one of another template, which could not be turned into it.
func podKey(template string, slot int) string {
	return keyPodPrefix + template + "-" + strconv.Itoa(slot)
}

func parsePodKey(key string) (template string, slot int, ok bool) {
	rest, ok := strings.CutPrefix(key, keyPodPrefix)
	template, number, cut := strings.Cut(rest, "-")

	if !ok || !cut {
		return "", 0, false
	}

	slot, err := strconv.Atoi(number)

	return template, slot, err == nil && slot >= 0 && podKey(template, slot) == key
}
