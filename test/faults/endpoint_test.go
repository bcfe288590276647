package faults

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/test/controlplane"
	"my-operator.dev/echo/test/s3proxy"
)

// There are 50 Buckets at each endpoint in trouble: those of before, of which some are
// changed and some deleted meanwhile, and those that are made meanwhile.
const (
	before    = 30
	meanwhile = 20
	changed   = 10
	deleted   = 10
)

// mostCalls is how many calls an endpoint may get by which all fails, from 50 Buckets
// that try again and again: those of the 32 that are under way when the first fails,
// each tried up to three times, and a probe now and then. Without a breaker there
// would be one for each try of each Bucket, and more every ten seconds.
const mostCalls = 120

// TestEndpoint has an endpoint fail while Buckets are made, changed and deleted.
// Another one goes on unharmed, and in the end all is as if nothing had been.
func TestEndpoint(t *testing.T) {
	t.Parallel()

	cases := map[string]struct {
		reason string
		fault  s3proxy.Fault

		// words are what conditions say while nothing goes through. Without any, what is
		// made, changed and deleted comes to its end in spite of the fault.
		words string
	}{
		"Down":        {reason: "A machine that is away.", fault: s3proxy.Fault{Down: true}, words: "cannot be reached: it breaks off the connection"},
		"Hangs":       {reason: "A machine that accepts and does not answer.", fault: s3proxy.Fault{Delay: time.Hour}, words: "does not answer within"},
		"Error":       {reason: "A server that fails.", fault: s3proxy.Fault{Status: 500}, words: "HTTP status 500 Internal Server Error"},
		"Unavailable": {reason: "A server under too much load.", fault: s3proxy.Fault{Status: 503}, words: "HTTP status 503 Service Unavailable"},
		"Cut":         {reason: "Answers break off: what was done is not known.", fault: s3proxy.Fault{Cut: true}, words: "breaks off"},
		"Unheard":     {reason: "What was done is not known, either.", fault: s3proxy.Fault{Applied: true}, words: "cannot be reached: it breaks off the connection"},
		"Slow":        {reason: "What is slow is not dead.", fault: s3proxy.Fault{Delay: time.Second}},
		"SomeErrors":  {reason: "A third of the calls is tried again.", fault: s3proxy.Fault{Status: 500, Share: 0.3}},
		"SomeBusy":    {reason: "A third of the calls is tried again.", fault: s3proxy.Fault{Status: 503, Share: 0.3}},
		"SomeCut":     {reason: "A third of the answers is lost.", fault: s3proxy.Fault{Cut: true, Share: 0.3}},
		"SomeUnheard": {reason: "A third of the answers is lost.", fault: s3proxy.Fault{Applied: true, Share: 0.3}},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			tm := newTeam(t, "endpoint"+strings.ToLower(name), servers[controlplane.Versitygw])
			old := tm.bucketsNamed(numbered("old", 0, before))
			tm.makeBuckets(old)
			tm.settles(before, 0)

			tm.proxy.Set(&tc.fault)
			tm.proxy.Reset()
			tm.makeBuckets(tm.bucketsNamed(numbered("new", 0, meanwhile)))
			change(tm, old[:changed], func(b *v1beta1.Bucket) {
				b.Spec.ForProvider.Tags = map[string]v1beta1.TagValue{"changed": "meanwhile"}
			})
			for _, b := range old[changed : changed+deleted] {
				tm.remove(b)
			}
			tm.goesOn()

			if tc.words != "" {
				tm.allSay(tc.words)
				if calls, _ := tm.proxy.Total(); calls > mostCalls {
					t.Errorf("%s\nwant at most %d calls to it, got %d: %v", tc.reason, mostCalls, calls, tm.proxy.Calls())
				} else {
					t.Logf("%d calls to it", calls)
				}
				tm.proxy.Set(nil)
			}
			tm.settles(before+meanwhile-deleted, 0)
			tm.proxy.Set(nil)

			tm.removeAll()
			tm.settles(0, 0)
			t.Logf("%d Buckets: 0 lost, 0 leaked, 0 stuck", before+meanwhile)
		})
	}
}

// bucketsNamed are Buckets that are not made yet.
func (t *team) bucketsNamed(names []string) []*v1beta1.Bucket {
	var all []*v1beta1.Bucket
	for _, name := range names {
		all = append(all, t.bucket(proxied, name))
	}

	return all
}

func (t *team) makeBuckets(buckets []*v1beta1.Bucket) {
	t.Helper()

	var objects []client.Object
	for _, b := range buckets {
		objects = append(objects, b)
	}
	t.make(objects...)
}

// goesOn makes Buckets straight at the server, waits until they are ready, and deletes
// them.
func (t *team) goesOn() {
	t.Helper()

	var neighbours []client.Object
	for _, name := range numbered("neighbour", 0, 5) {
		neighbours = append(neighbours, t.bucket(straight, name))
	}
	t.make(neighbours...)

	isNeighbour := func(b v1beta1.Bucket) bool { return b.Spec.ProviderConfigReference.Name == straight }
	t.eventually("the neighbours", func(ctx context.Context) string {
		all, err := t.buckets(ctx)
		if err != nil {
			return err.Error()
		}
		all = slices.DeleteFunc(all, func(b v1beta1.Bucket) bool { return !isNeighbour(b) })

		return strings.Join(stuck(all, nil), "; ")
	})
	t.remove(neighbours...)
	t.eventually("the neighbours", func(ctx context.Context) string {
		all, err := t.buckets(ctx)
		if err != nil {
			return err.Error()
		}
		if slices.ContainsFunc(all, isNeighbour) {
			return "they are not gone"
		}

		return ""
	})
}

// allSay waits until each Bucket says that it is not synced, and why.
func (t *team) allSay(words string) {
	t.Helper()
	t.say(words, func(*v1beta1.Bucket) bool { return true })
}

// say waits until those Buckets that are meant say that they are not synced, and why.
func (t *team) say(words string, meant func(*v1beta1.Bucket) bool) {
	t.Helper()

	t.eventually("the conditions", func(ctx context.Context) string {
		all, err := t.buckets(ctx)
		if err != nil {
			return err.Error()
		}
		for _, b := range all {
			c := b.GetCondition(xpv2.TypeSynced)
			if meant(&b) && (c.Status != corev1.ConditionFalse || !strings.Contains(c.Message, words)) {
				return fmt.Sprintf("want %s to say that %q, it says %s %q", b.GetName(), words, c.Reason, c.Message)
			}
		}

		return ""
	})
}
