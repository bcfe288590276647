package scaling

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/fn/app"
)

func TestNewAutoscaler(t *testing.T) {
	cases := map[string]struct {
		reason string
		spec   app.Autoscaling
		want   []Metric
	}{
		"Default": {
			reason: "Without a target it should aim at 80 % of the CPU that is requested.",
			spec:   app.Autoscaling{MaxReplicas: 3},
			want:   []Metric{metric("cpu", 80)},
		},
		"Memory": {
			reason: "A target of memory alone should be the only one.",
			spec:   app.Autoscaling{MaxReplicas: 3, TargetMemoryUtilization: new(int32(60))},
			want:   []Metric{metric("memory", 60)},
		},
		"Both": {
			reason: "Both targets should hold.",
			spec:   app.Autoscaling{MaxReplicas: 3, TargetCPUUtilization: new(int32(50)), TargetMemoryUtilization: new(int32(60))},
			want:   []Metric{metric("cpu", 50), metric("memory", 60)},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			a := &app.App{Namespace: "team-a", Name: "shop", Spec: app.Spec{Autoscaling: &tc.spec}}

			got := NewAutoscaler(a).Spec
			if diff := cmp.Diff(tc.want, got.Metrics); diff != "" {
				t.Errorf("\n%s\nmetrics: -want, +got:\n%s", tc.reason, diff)
			}

			if want := (Reference{APIVersion: "my-operator.dev/v1", Kind: "Echo", Name: "shop"}); got.ScaleTargetRef != want {
				t.Errorf("want the Echo itself to be scaled, got %+v", got.ScaleTargetRef)
			}
		})
	}
}
