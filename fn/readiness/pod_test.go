package readiness

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/fn/observed"
)

// pod judges a Pod given as YAML.
func pod(t testing.TB, doc string) Verdict {
	t.Helper()

	p, err := observed.ReadPod(object(t, doc))
	if err != nil {
		t.Fatal(err)
	}

	return Pod(p)
}

func TestPod(t *testing.T) {
	cases := map[string]struct {
		reason string
		pod    string
		want   Verdict
	}{
		"Nothing": {
			reason: "A Pod that nobody has reported on yet is on its way.",
			pod:    `{kind: Pod}`,
			want:   Verdict{Reason: ReasonStarting},
		},
		"Ready": {
			reason: "A Pod does its job when its condition Ready is true.",
			pod:    `{status: {phase: Running, conditions: [{type: PodScheduled, status: "True"}, {type: Ready, status: "True"}]}}`,
			want:   Verdict{Ready: true, Reason: ReasonReady},
		},
		"ReadyAfterACrash": {
			reason: "A crash that a Pod has got over should not be held against it.",
			pod: `
status:
  phase: Running
  conditions: [{type: Ready, status: "True"}]
  containerStatuses:
  - name: echo
    ready: true
    restartCount: 1
    state: {running: {startedAt: "2026-01-02T11:00:04Z"}}
    lastState: {terminated: {exitCode: 137, reason: OOMKilled}}
`,
			want: Verdict{Ready: true, Reason: ReasonReady},
		},
		"ReadyUnknown": {
			reason: "A Pod on a node that nobody hears from is not known to be ready.",
			pod:    `{status: {phase: Running, conditions: [{type: Ready, status: Unknown, reason: NodeStatusUnknown}]}}`,
			want:   Verdict{Reason: ReasonNotReady},
		},
		"Terminating": {
			reason: "A Pod on its way out serves for seconds more at most, even where it is ready still.",
			pod: `
metadata: {deletionTimestamp: "2026-01-02T11:00:00Z"}
status: {phase: Running, conditions: [{type: Ready, status: "True"}]}
`,
			want: Verdict{Reason: ReasonTerminating},
		},
		"TerminatingAfterItFailed": {
			reason: "That a Pod goes matters more than why it ended.",
			pod:    `{metadata: {deletionTimestamp: "2026-01-02T11:00:00Z"}, status: {phase: Failed, reason: Evicted}}`,
			want:   Verdict{Reason: ReasonTerminating},
		},
		"Evicted": {
			reason: "An evicted Pod should say so in the kubelet's words, which do not change any more.",
			pod:    `{status: {phase: Failed, reason: Evicted, message: "The node was low on resource: memory."}}`,
			want:   Verdict{Reason: "Evicted", Message: "The node was low on resource: memory.", Stuck: true},
		},
		"EvictedWhileItSeemedReady": {
			reason: "A Pod that has ended is not ready whatever its conditions were left at.",
			pod:    `{status: {phase: Failed, reason: Evicted, conditions: [{type: Ready, status: "True"}]}}`,
			want:   Verdict{Reason: "Evicted", Stuck: true},
		},
		"FailedWithoutAReason": {
			reason: "A Pod that failed for no stated reason still needs one word for it.",
			pod:    `{status: {phase: Failed}}`,
			want:   Verdict{Reason: ReasonFailed, Stuck: true},
		},
		"Unschedulable": {
			reason: "Where no node fits, the scheduler's words say which way each falls short.",
			pod: `
status:
  phase: Pending
  conditions:
  - {type: PodScheduled, status: "False", reason: Unschedulable, message: "0/3 nodes are available: 3 Insufficient cpu."}
`,
			want: Verdict{Reason: ReasonUnschedulable, Message: "0/3 nodes are available: 3 Insufficient cpu.", Stuck: true},
		},
		"SchedulingGated": {
			reason: "A Pod that is held back by a gate is not unschedulable.",
			pod:    `{status: {phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: SchedulingGated}]}}`,
			want:   Verdict{Reason: ReasonStarting},
		},
		"Scheduled": {
			reason: "A Pod with a node and no container yet is on its way.",
			pod:    `{status: {phase: Pending, conditions: [{type: PodScheduled, status: "True"}]}}`,
			want:   Verdict{Reason: ReasonStarting},
		},
		"Creating": {
			reason: "A container that is being made is on its way.",
			pod:    `{status: {phase: Pending, containerStatuses: [{name: echo, state: {waiting: {reason: ContainerCreating}}}]}}`,
			want:   Verdict{Reason: ReasonStarting},
		},
		"WaitingWithoutAReason": {
			reason: "A container that waits for no stated reason is on its way.",
			pod:    `{status: {phase: Pending, containerStatuses: [{name: echo, state: {waiting: {}}}]}}`,
			want:   Verdict{Reason: ReasonStarting},
		},
		"ProbeFails": {
			reason: "A container that runs and never crashed should be told as not ready, in the kubelet's words.",
			pod: `
status:
  phase: Running
  conditions: [{type: Ready, status: "False", reason: ContainersNotReady, message: "containers with unready status: [echo]"}]
  containerStatuses: [{name: echo, ready: false, state: {running: {}}, lastState: {}}]
`,
			want: Verdict{Reason: ReasonNotReady, Message: "containers with unready status: [echo]"},
		},
		"ReadinessGate": {
			reason: "Where all containers are ready, what the Pod waits for is in its condition.",
			pod: `
status:
  phase: Running
  conditions:
  - {type: Ready, status: "False", reason: ReadinessGatesNotReady, message: 'corresponding condition of pod readiness gate "lb" does not exist.'}
  containerStatuses: [{name: echo, ready: true, state: {running: {}}, lastState: {terminated: {exitCode: 1}}}]
`,
			want: Verdict{Reason: ReasonNotReady, Message: `corresponding condition of pod readiness gate "lb" does not exist.`},
		},
		"ConfigMissing": {
			reason: "A missing ConfigMap should be named, for the tenant can make it.",
			pod: `
status:
  phase: Pending
  containerStatuses: [{name: echo, state: {waiting: {reason: CreateContainerConfigError, message: 'configmap "web" not found'}}}]
`,
			want: Verdict{Reason: "CreateContainerConfigError", Message: `container echo: configmap "web" not found`, Stuck: true},
		},
		"ImageNameWrong": {
			reason: "An image name that is none should be told as the kubelet tells it.",
			pod: `
status:
  phase: Pending
  containerStatuses: [{name: echo, state: {waiting: {reason: InvalidImageName, message: 'couldn''t parse image name "Nginx"'}}}]
`,
			want: Verdict{Reason: "InvalidImageName", Message: `container echo: couldn't parse image name "Nginx"`, Stuck: true},
		},
		"InitContainerCannotPull": {
			reason: "What ails an init container holds up the rest, and its name says where to look.",
			pod: `
status:
  phase: Pending
  initContainerStatuses: [{name: migrate, state: {waiting: {reason: ErrImagePull}}}]
  containerStatuses: [{name: echo, state: {waiting: {reason: PodInitializing}}}]
`,
			want: Verdict{Reason: ReasonImagePullBackOff, Message: "container migrate: cannot pull its image", Stuck: true},
		},
		"InitContainerCrashes": {
			reason: "An init container that crashes should be told before those that wait for it.",
			pod: `
status:
  phase: Pending
  initContainerStatuses:
  - name: migrate
    state: {waiting: {reason: CrashLoopBackOff}}
    lastState: {terminated: {exitCode: 2, reason: Error}}
  containerStatuses: [{name: echo, state: {waiting: {reason: PodInitializing}}}]
`,
			want: Verdict{Reason: ReasonCrashLoopBackOff, Message: "container migrate: ended with exit code 2 (Error)", Stuck: true},
		},
		"InitContainerWorks": {
			reason: "An init container that is at work is nothing to complain about.",
			pod: `
status:
  phase: Pending
  initContainerStatuses: [{name: migrate, state: {running: {}}}]
  containerStatuses: [{name: echo, state: {waiting: {reason: PodInitializing}}}]
`,
			want: Verdict{Reason: ReasonStarting},
		},
		"InitContainerDoneAtTheSecondTry": {
			reason: "An init container that got done is out of the way, however often it failed before.",
			pod: `
status:
  phase: Pending
  initContainerStatuses:
  - {name: migrate, ready: true, state: {terminated: {exitCode: 0, reason: Completed}}, lastState: {terminated: {exitCode: 1}}}
  containerStatuses: [{name: echo, state: {waiting: {reason: ImagePullBackOff}}}]
`,
			want: Verdict{Reason: ReasonImagePullBackOff, Message: "container echo: cannot pull its image", Stuck: true},
		},
		"SidecarRuns": {
			reason: "A sidecar that runs is no reason, so that what ails the app itself comes out.",
			pod: `
status:
  phase: Running
  initContainerStatuses: [{name: proxy, ready: true, started: true, state: {running: {}}, lastState: {terminated: {exitCode: 1}}}]
  containerStatuses: [{name: echo, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 1, reason: Error}}}]
`,
			want: Verdict{Reason: ReasonCrashLoopBackOff, Message: "container echo: ended with exit code 1 (Error)", Stuck: true},
		},
		"SidecarCrashes": {
			reason: "A sidecar that crashes should be named, or the tenant looks for the mistake in the app.",
			pod: `
status:
  phase: Running
  conditions: [{type: Ready, status: "False", message: "containers with unready status: [proxy]"}]
  initContainerStatuses:
  - {name: proxy, ready: false, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 139, reason: Error}}}
  containerStatuses: [{name: echo, ready: true, state: {running: {}}}]
`,
			want: Verdict{Reason: ReasonCrashLoopBackOff, Message: "container proxy: ended with exit code 139 (Error)", Stuck: true},
		},
		"SecondContainer": {
			reason: "Of several containers, the first that is in trouble should be told.",
			pod: `
status:
  phase: Running
  containerStatuses:
  - {name: a, ready: true, state: {running: {}}}
  - {name: b, state: {waiting: {reason: ImagePullBackOff}}}
  - {name: c, state: {waiting: {reason: CreateContainerConfigError}}}
`,
			want: Verdict{Reason: ReasonImagePullBackOff, Message: "container b: cannot pull its image", Stuck: true},
		},
		"EndedWithoutAReason": {
			reason: "A runtime that gives no reason should not leave empty brackets.",
			pod:    `{status: {phase: Running, containerStatuses: [{name: echo, state: {terminated: {exitCode: 3}}}]}}`,
			want:   Verdict{Reason: ReasonCrashLoopBackOff, Message: "container echo: ended with exit code 3 (Error)", Stuck: true},
		},
		"DoneForTheFirstTime": {
			reason: "A container that ended well once has not been seen to do it again.",
			pod: `
status:
  phase: Running
  conditions: [{type: Ready, status: "False", message: "containers with unready status: [echo]"}]
  containerStatuses: [{name: echo, state: {terminated: {exitCode: 0, reason: Completed}}}]
`,
			want: Verdict{Reason: ReasonNotReady, Message: "containers with unready status: [echo]"},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, pod(t, tc.pod)); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
