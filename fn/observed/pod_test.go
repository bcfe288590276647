package observed

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// at is a moment of the tests' day.
func at(hour, minute, second int) time.Time {
	return time.Date(2026, 1, 2, hour, minute, second, 0, time.UTC)
}

func TestReadPod(t *testing.T) {
	doc, err := os.ReadFile("testdata/pod.yaml")
	if err != nil {
		t.Fatal(err)
	}

	p, err := ReadPod(object(t, string(doc)))
	if err != nil {
		t.Fatal(err)
	}

	if got := p.Metadata.CreationTimestamp.UTC(); got != at(11, 0, 0) {
		t.Errorf("creationTimestamp: want %s, got %s", at(11, 0, 0), got)
	}

	if diff := cmp.Diff("2", p.Metadata.Annotations.Attempt); diff != "" {
		t.Errorf("attempt: -want, +got:\n%s", diff)
	}

	want := Condition{Type: "Ready", Status: "False", Reason: "ContainersNotReady", Message: "containers with unready status: [echo]"}
	ready := p.Condition("Ready")
	want.LastTransitionTime = ready.LastTransitionTime

	if diff := cmp.Diff(want, ready); diff != "" {
		t.Errorf("condition Ready: -want, +got:\n%s", diff)
	}

	if len(p.Status.ContainerStatuses) != 1 {
		t.Fatalf("want one container, got %v", p.Status.ContainerStatuses)
	}

	c := p.Status.ContainerStatuses[0]
	if c.Name != "echo" || c.RestartCount != 3 || c.Ready || c.State.Waiting == nil || c.State.Waiting.Reason != "CrashLoopBackOff" || c.State.Terminated != nil {
		t.Errorf("want a container that waits in a crash loop, got %+v", c)
	}

	if l := c.LastState.Terminated; l == nil || l.ExitCode != 1 || l.Reason != "Error" || l.FinishedAt.UTC() != at(11, 0, 4) {
		t.Errorf("want how the container ended last, got %+v", l)
	}
}

// TestReadPodKeepsItsSpec shows that a Pod's spec can be asked for again exactly
// as it stands.
func TestReadPodKeepsItsSpec(t *testing.T) {
	doc, err := os.ReadFile("testdata/pod.yaml")
	if err != nil {
		t.Fatal(err)
	}

	p, err := ReadPod(object(t, string(doc)))
	if err != nil {
		t.Fatal(err)
	}

	got := &structpb.Struct{}
	if err := proto.Unmarshal(p.Spec, got); err != nil {
		t.Fatal(err)
	}

	want := message(t, string(doc)).GetFields()["spec"].GetStructValue()
	if diff := cmp.Diff(want.AsMap(), got.AsMap()); diff != "" {
		t.Errorf("a Pod's spec should be kept whole: -want, +got:\n%s", diff)
	}
}

func TestPodLife(t *testing.T) {
	type want struct {
		terminating, finished bool
		finishedAt            time.Time
	}

	cases := map[string]struct {
		reason string
		pod    string
		want   want
	}{
		"Running": {
			reason: "A Pod that runs has not ended.",
			pod:    `{metadata: {creationTimestamp: "2026-01-02T11:00:00Z", deletionTimestamp: null}, status: {phase: Running}}`,
			want:   want{finishedAt: at(11, 0, 0)},
		},
		"Terminating": {
			reason: "A Pod with a time of deletion is on its way out, even where that lies ahead.",
			pod:    `{metadata: {creationTimestamp: "2026-01-02T11:00:00Z", deletionTimestamp: "2026-01-02T13:00:00Z"}}`,
			want:   want{terminating: true, finishedAt: at(11, 0, 0)},
		},
		"Evicted": {
			reason: "A Pod that failed before it had a container ended when it was made, as far as one can tell.",
			pod:    `{metadata: {creationTimestamp: "2026-01-02T11:00:00Z"}, status: {phase: Failed, reason: Evicted}}`,
			want:   want{finished: true, finishedAt: at(11, 0, 0)},
		},
		"Succeeded": {
			reason: "A Pod whose containers are done has ended, and the last container to end is what counts.",
			pod: `
metadata: {creationTimestamp: "2026-01-02T11:00:00Z"}
status:
  phase: Succeeded
  containerStatuses:
  - {name: a, state: {terminated: {finishedAt: "2026-01-02T11:05:00Z"}}}
  - {name: b, state: {terminated: {finishedAt: "2026-01-02T11:04:00Z"}}}
  - {name: c, state: {terminated: {finishedAt: null}}}
`,
			want: want{finished: true, finishedAt: at(11, 5, 0)},
		},
		"FailedByCondition": {
			reason: "A condition that changed later tells the time better.",
			pod: `
metadata: {creationTimestamp: "2026-01-02T11:00:00Z"}
status:
  phase: Failed
  conditions: [{type: DisruptionTarget, status: "True", lastTransitionTime: "2026-01-02T11:06:00Z"}, {type: Ready, lastTransitionTime: null}]
  containerStatuses: [{name: a, state: {terminated: {finishedAt: "2026-01-02T11:05:00Z"}}}]
`,
			want: want{finished: true, finishedAt: at(11, 6, 0)},
		},
		"PhaseUnknown": {
			reason: "A Pod that nobody hears from may come back.",
			pod:    `{metadata: {creationTimestamp: "2026-01-02T11:00:00Z"}, status: {phase: Unknown}}`,
			want:   want{finishedAt: at(11, 0, 0)},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := ReadPod(object(t, tc.pod))
			if err != nil {
				t.Fatal(err)
			}

			got := want{terminating: p.Terminating(), finished: p.Finished(), finishedAt: p.FinishedAt().UTC()}
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(want{})); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
