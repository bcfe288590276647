package readiness

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPodHoldsStill shows that a Pod which goes from one phase of the same trouble
// to the next gets one verdict all the while: each change of it is a write.
func TestPodHoldsStill(t *testing.T) {
	cases := map[string]struct {
		reason string
		phases []string // states of the container
		want   Verdict
	}{
		"CrashLoop": {
			reason: "A crashing container ends, waits and runs by turns, and waits for longer each time.",
			phases: []string{
				`{state: {terminated: {exitCode: 1, reason: Error, finishedAt: "2026-01-02T11:00:00Z"}}}`,
				`{state: {waiting: {reason: CrashLoopBackOff, message: "back-off 10s restarting"}}, lastState: {terminated: {exitCode: 1, reason: Error}}}`,
				`{state: {running: {}}, lastState: {terminated: {exitCode: 1, reason: Error}}, restartCount: 1}`,
				`{state: {terminated: {exitCode: 1, reason: Error}}, lastState: {terminated: {exitCode: 1, reason: Error}}}`,
				`{state: {waiting: {reason: CrashLoopBackOff, message: "back-off 20s restarting"}}, lastState: {terminated: {exitCode: 1, reason: Error}}}`,
			},
			want: Verdict{Reason: ReasonCrashLoopBackOff, Message: "container echo: ended with exit code 1 (Error)", Stuck: true},
		},
		"EndsWell": {
			reason: "An app that ends well over and over is in a crash loop too, from its second start on.",
			phases: []string{
				`{state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 0, reason: Completed}}}`,
				`{state: {running: {}}, lastState: {terminated: {exitCode: 0, reason: Completed}}}`,
				`{state: {terminated: {exitCode: 0, reason: Completed}}, lastState: {terminated: {exitCode: 0, reason: Completed}}}`,
			},
			want: Verdict{Reason: ReasonCrashLoopBackOff, Message: "container echo: ended with exit code 0 (Completed)", Stuck: true},
		},
		"ImagePull": {
			reason: "The kubelet tries to pull and backs off by turns, each with words of its own.",
			phases: []string{
				`{state: {waiting: {reason: ErrImagePull, message: "rpc error: code = NotFound desc = not found"}}}`,
				`{state: {waiting: {reason: ImagePullBackOff, message: "Back-off pulling image \"a\""}}}`,
				`{state: {waiting: {reason: ErrImagePull, message: "rpc error: code = Unknown desc = timeout"}}}`,
			},
			want: Verdict{Reason: ReasonImagePullBackOff, Message: "container echo: cannot pull its image", Stuck: true},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			for i, phase := range tc.phases {
				status := strings.Replace(phase, "{", "{name: echo, ready: false, ", 1)

				got := pod(t, `{status: {phase: Running, containerStatuses: [`+status+`]}}`)
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Errorf("\n%s\nphase %d: -want, +got:\n%s", tc.reason, i, diff)
				}
			}
		})
	}
}
