package main

import (
	"context"
	"testing"

	"google.golang.org/protobuf/proto"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"

	"my-operator.dev/echo/test/bench/fixture"
)

// The work that is measured here in process is measured over gRPC, beside other
// servers, by test/bench.
var settledWork = []fixture.Case{
	fixture.Pods("3 Pods", 3),
	fixture.Pods("100 Pods", 100),
	fixture.Deployment("Deployment"),
}

// steady is the request about the settled Echo of a case, in wire form.
func steady(t testing.TB, c fixture.Case) []byte {
	t.Helper()

	req, err := fixture.Steady(t.Context(), c, func(_ context.Context, req *fnv1.RunFunctionRequest) (*fnv1.RunFunctionResponse, error) {
		return answer(t, req), nil
	})
	if err != nil {
		t.Fatal(err)
	}

	return must(proto.MarshalOptions{Deterministic: true}.Marshal(req))
}

func BenchmarkRun(b *testing.B) {
	for _, c := range settledWork {
		b.Run(c.Name, func(b *testing.B) {
			f, request := newFunction(), steady(b, c)

			b.SetBytes(int64(len(request)))
			b.ReportAllocs()

			for b.Loop() {
				if _, err := f.Run(b.Context(), request); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestRunAllocations bounds what a call allocates, which is what it costs: the
// bytes of a request are walked at a gigabyte in a second, and the rest is time
// of the allocator and the garbage collector. The bounds leave a fifth for what
// a compiler or a library adds. Lower them when the code gets better.
func TestRunAllocations(t *testing.T) {
	cases := map[string]struct {
		reason string
		work   fixture.Case
		most   float64
	}{
		"3 Pods": {
			reason: "Few Pods should cost what reading the composite and rendering one template costs, and little more.",
			work:   fixture.Pods("3 Pods", 3),
			most:   160,
		},
		"100 Pods": {
			reason: "A Pod that is kept should cost some eight allocations: its name and the lists of its status.",
			work:   fixture.Pods("100 Pods", 100),
			most:   1150,
		},
		"Deployment": {
			reason: "A Deployment and a Service should cost about as much as three Pods.",
			work:   fixture.Deployment("Deployment"),
			most:   165,
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			f, request := newFunction(), steady(t, tc.work)

			got := testing.AllocsPerRun(100, func() {
				if _, err := f.Run(t.Context(), request); err != nil {
					t.Fatal(err)
				}
			})
			if got > tc.most {
				t.Errorf("\n%s\nwant at most %.0f allocations, got %.0f", tc.reason, tc.most, got)
			}
		})
	}
}
