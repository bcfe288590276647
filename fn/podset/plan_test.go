package podset

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Times of the tests: a Pod's name for its age.
var (
	now   = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	old   = now.Add(-2 * time.Hour)
	young = now.Add(-time.Minute)
)

func TestNew(t *testing.T) {
	type args struct {
		goal     Goal
		observed []Pod
		taken    []int
	}

	type want struct {
		keep   []int
		create []Creation
		wait   time.Duration
	}

	pod := func(slot int, template string, s State) Pod {
		return Pod{Slot: slot, Template: template, State: s, Created: old, Finished: now.Add(-time.Second)}
	}
	goal := func(replicas int) Goal { return Goal{Replicas: replicas, MaxSurge: 1, Template: "a"} }

	cases := map[string]struct {
		reason string
		args   args
		want   want
	}{
		"Nothing": {
			reason: "From nothing, all Pods should be made at once.",
			args:   args{goal: goal(3)},
			want:   want{create: []Creation{{Slot: 0}, {Slot: 1}, {Slot: 2}}},
		},
		"Steady": {
			reason: "A set that is as asked for should be kept.",
			args:   args{goal: goal(2), observed: []Pod{pod(0, "a", Ready), pod(1, "a", Ready)}},
			want:   want{keep: []int{0, 1}},
		},
		"Zero": {
			reason: "Zero replicas should let all go, of whatever template.",
			args:   args{goal: goal(0), observed: []Pod{pod(0, "a", Ready), pod(1, "b", Ready)}},
		},
		"ScaleDownUnreadyFirst": {
			reason: "The unready should go before the ready, even where they are older.",
			args: args{goal: goal(1), observed: []Pod{
				pod(0, "a", Unready),
				{Slot: 1, Template: "a", State: Ready, Created: young},
			}},
			want: want{keep: []int{1}},
		},
		"ScaleDownNewestFirst": {
			reason: "Of the ready, the newest should go first.",
			args: args{goal: goal(1), observed: []Pod{
				{Slot: 0, Template: "a", State: Ready, Created: young},
				pod(1, "a", Ready),
			}},
			want: want{keep: []int{1}},
		},
		"Terminating": {
			reason: "A terminating Pod should be replaced under another slot, because its name is still taken.",
			args:   args{goal: goal(1), observed: []Pod{{Slot: 0, Template: "a", State: Ready, Terminating: true}}},
			want:   want{create: []Creation{{Slot: 1}}},
		},
		"Taken": {
			reason: "A slot that is known to be taken should not be given, whoever has it.",
			args:   args{goal: goal(2), taken: []int{0, 2}},
			want:   want{create: []Creation{{Slot: 1}, {Slot: 3}}},
		},
		"RolloutSurges": {
			reason: "With none to spare, a rollout should begin with one more Pod.",
			args:   args{goal: goal(2), observed: []Pod{pod(0, "b", Ready), pod(1, "b", Ready)}},
			want:   want{keep: []int{0, 1}, create: []Creation{{Slot: 2}}},
		},
		"RolloutWaits": {
			reason: "While the surge is not ready, the Pods that serve should stay.",
			args:   args{goal: goal(2), observed: []Pod{pod(0, "b", Ready), pod(1, "b", Ready), pod(2, "a", Unready)}},
			want:   want{keep: []int{0, 1, 2}},
		},
		"RolloutGoesOn": {
			reason: "For each Pod that gets ready, one of the earlier template should go, and make room for the next.",
			args:   args{goal: goal(2), observed: []Pod{pod(0, "b", Ready), pod(1, "b", Ready), pod(2, "a", Ready)}},
			want:   want{keep: []int{0, 2}, create: []Creation{{Slot: 3}}},
		},
		"RolloutOfTheBroken": {
			reason: "Unready Pods of an earlier template serve nobody and should go at once.",
			args:   args{goal: goal(2), observed: []Pod{pod(0, "b", Unready), pod(1, "b", Unready)}},
			want:   want{create: []Creation{{Slot: 2}, {Slot: 3}}},
		},
		"ShrinkDuringRollout": {
			reason: "Where only Pods of an earlier template are available, they should stay and the unready new ones make room.",
			args: args{goal: goal(2), observed: []Pod{
				pod(0, "b", Ready), pod(1, "b", Ready), pod(2, "b", Ready), pod(3, "a", Unready), pod(4, "a", Unready),
			}},
			want: want{keep: []int{0, 1, 3}},
		},
		"FinishedFirst": {
			reason: "The first Pod to end should be replaced at once.",
			args: args{goal: goal(1), observed: []Pod{
				{Slot: 0, Template: "a", State: Finished, Created: young, Finished: now.Add(-time.Second)},
			}},
			want: want{create: []Creation{{Slot: 1, Attempt: 1}}},
		},
		"FinishedAgain": {
			reason: "A Pod that ended early after one that did should be left to lie, and the wait be told.",
			args: args{goal: goal(1), observed: []Pod{
				{Slot: 0, Template: "a", State: Finished, Attempt: 2, Created: young, Finished: now.Add(-time.Second)},
			}},
			want: want{keep: []int{0}, wait: 19 * time.Second},
		},
		"FinishedDue": {
			reason: "Once due it should be replaced, and its successor know how many went before.",
			args: args{goal: goal(1), observed: []Pod{
				{Slot: 0, Template: "a", State: Finished, Attempt: 1, Created: young, Finished: now.Add(-10 * time.Second)},
			}},
			want: want{create: []Creation{{Slot: 1, Attempt: 2}}},
		},
		"FinishedOften": {
			reason: "The wait should not grow beyond five minutes.",
			args: args{goal: goal(1), observed: []Pod{
				{Slot: 0, Template: "a", State: Finished, Attempt: 1000, Created: young, Finished: now},
			}},
			want: want{keep: []int{0}, wait: 5 * time.Minute},
		},
		"FinishedAfterLong": {
			reason: "A Pod that ran well for long starts the count anew.",
			args: args{goal: goal(1), observed: []Pod{
				{Slot: 0, Template: "a", State: Finished, Attempt: 7, Created: old, Finished: now},
			}},
			want: want{create: []Creation{{Slot: 1, Attempt: 1}}},
		},
		"FinishedOfOldTemplate": {
			reason: "A new template may mend what made it end, so there is nothing to wait for.",
			args: args{goal: goal(1), observed: []Pod{
				{Slot: 0, Template: "b", State: Finished, Attempt: 7, Created: young, Finished: now},
			}},
			want: want{create: []Creation{{Slot: 1}}},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			plan := New(tc.args.goal, tc.args.observed, tc.args.taken, now)
			got := want{create: plan.Create, wait: plan.Wait}

			for _, p := range plan.Keep {
				got.keep = append(got.keep, p.Slot)
			}

			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(want{})); diff != "" {
				t.Errorf("\n%s\nNew(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestNewHolds plans over and over while Pods start, break, end and vanish, and
// checks after each step what must always hold.
func TestNewHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		goal := Goal{
			Replicas:       rapid.IntRange(0, 8).Draw(t, "replicas"),
			MaxSurge:       rapid.IntRange(0, 3).Draw(t, "maxSurge"),
			MaxUnavailable: rapid.IntRange(0, 3).Draw(t, "maxUnavailable"),
			Template:       "a",
		}
		if goal.MaxSurge+goal.MaxUnavailable == 0 {
			goal.MaxSurge = 1
		}

		pods, clock := []Pod{}, now

		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			for i := range pods {
				disturb(t, &pods[i], clock)
			}

			if rapid.IntRange(0, 4).Draw(t, "edit") == 0 {
				goal.Template = rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "template")
			}

			if rapid.IntRange(0, 4).Draw(t, "scale") == 0 {
				goal.Replicas = rapid.IntRange(0, 8).Draw(t, "replicas")
			}

			pods = step(t, goal, pods, clock)
			clock = clock.Add(time.Duration(rapid.IntRange(0, 400).Draw(t, "seconds")) * time.Second)
		}

		settle(t, goal, pods, clock)
	})
}

func disturb(t *rapid.T, p *Pod, clock time.Time) {
	switch rapid.IntRange(0, 9).Draw(t, "fate") {
	case 0:
		p.Terminating = true
	case 1:
		p.State, p.Finished = Finished, clock
	case 2:
		if p.State != Finished {
			p.State = Unready
		}
	case 3, 4, 5, 6:
		if p.State != Finished {
			p.State = Ready
		}
	}
}

// step applies a plan and checks it.
func step(t *rapid.T, goal Goal, pods []Pod, clock time.Time) []Pod {
	plan := New(goal, pods, nil, clock)
	next := plan.Keep
	taken := map[int]bool{}

	for _, p := range pods {
		taken[p.Slot] = true
	}

	for _, c := range plan.Create {
		if taken[c.Slot] {
			t.Fatalf("slot %d is given twice", c.Slot)
		}

		taken[c.Slot] = true
		next = append(next, Pod{Slot: c.Slot, Template: goal.Template, State: Unready, Created: clock, Attempt: c.Attempt})
	}

	before, after := available(pods), available(next)
	if floor := min(before, goal.Replicas-goal.MaxUnavailable); after < floor {
		t.Fatalf("%d available after the plan, %d before, and at least %d must stay", after, before, floor)
	}

	if most := max(goal.Replicas+goal.MaxSurge, after); len(next) > most {
		t.Fatalf("%d Pods after the plan, and at most %d may be", len(next), most)
	}

	return next
}

// settle lets all Pods get ready and checks that the set gets to its goal, and
// then stays there.
func settle(t *rapid.T, goal Goal, pods []Pod, clock time.Time) {
	for range 40 {
		for i := range pods {
			if pods[i].State == Unready {
				pods[i].State = Ready
			}
		}

		clock = clock.Add(backoffMost)
		pods = step(t, goal, pods, clock)
	}

	if len(pods) != goal.Replicas || available(pods) != goal.Replicas {
		t.Fatalf("%d Pods, %d of them available, after a long quiet time; want %d", len(pods), available(pods), goal.Replicas)
	}

	for _, p := range pods {
		if p.Template != goal.Template {
			t.Fatalf("slot %d is still of template %q after a long quiet time", p.Slot, p.Template)
		}
	}
}

func available(pods []Pod) int {
	n := 0

	for _, p := range pods {
		if p.State == Ready && !p.Terminating {
			n++
		}
	}

	return n
}
