package main

import (
	"context"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/test/controlplane"
)

// dist is where the package is that is tested.
var dist = flag.String("dist", filepath.Join("..", "..", "..", "dist"), "directory of the packages to test")

// TestCounts runs the benchmark with a few Buckets, and looks at all that does not
// depend on how busy the machine is: how often the two servers are called.
func TestCounts(t *testing.T) {
	const n, polls = 20, 3

	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()

	r, err := newRig(ctx, os.Getenv(controlplane.ToolsEnv), *dist)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.stop(); err != nil {
			t.Error(err)
		}
	})

	s, err := r.settle(ctx, n, aftermath)
	if err != nil {
		t.Fatal(err)
	}

	calls, writes := s.counts.calls()
	atMost(t, "S3 calls to settle", calls, 3*n)

	if diff := cmp.Diff([]float64{n, n, 2 * n}, []float64{s.counts.s3["PUT bucket"], s.counts.s3["PUT bucket?tagging"], writes}); diff != "" {
		t.Errorf("each bucket should be made once and tagged once: S3 writes, -want, +got:\n%s\nall calls: %v", diff, s.counts.s3)
	}

	atMost(t, "API writes to settle", s.counts.writes(), 7*n)
	t.Logf("settled: %v\n%v", s.counts.s3, s.counts.sent)

	st, err := r.steady(ctx, n, time.Second, 5*time.Second, polls)
	if err != nil {
		t.Fatal(err)
	}

	calls, writes = st.counts.calls()
	t.Logf("polled %v times: %v\n%v", st.counts.reconciles, st.counts.s3, st.counts.api)

	// A poll begins or ends while the counters are read, and its time is a tenth
	// shorter or longer by chance.
	if math.Abs(calls-st.counts.reconciles) > 2 || calls < (polls-1)*n {
		t.Errorf("a poll should be one call of S3: %v polls of %d Buckets in %v, %v calls", st.counts.reconciles, n, st.window, st.counts.s3)
	}

	if writes != 0 || st.counts.writes() != 0 {
		t.Errorf("polls should write nothing: S3 calls %v, API requests sent %v, served %v", st.counts.s3, st.counts.sent, st.counts.api)
	}

	d, err := r.remove(ctx, n)
	if err != nil {
		t.Fatal(err)
	}

	t.Logf("removed: %v\n%v", d.counts.s3, d.counts.api)

	if d.buckets != 0 || d.usages != 0 {
		t.Errorf("nothing should be left: %d buckets, %d usages", d.buckets, d.usages)
	}
}

func atMost(t *testing.T, what string, got, most float64) {
	t.Helper()

	if got > most {
		t.Errorf("%s: want at most %v, got %v", what, most, got)
	}
}
