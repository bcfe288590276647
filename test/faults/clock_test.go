package faults

import (
	"testing"
	"time"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/test/s3proxy"
)

// TestClock has the server refuse what is signed at a time that is too far from its
// own, while Buckets are made, changed and deleted. A clock that is off by more than
// the quarter of an hour that S3 grants is corrected by the SDK, which goes by the time
// of the server's answers: here these do not help it.
func TestClock(t *testing.T) {
	t.Parallel()

	const words = "the server's clock and the provider's differ too much: set both right"

	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			tm := newTeam(t, "clock"+name, servers[name])
			first := tm.bucketsNamed(numbered("first", 0, 6))
			tm.makeBuckets(first)
			tm.settles(6, 0)

			tm.proxy.Set(&s3proxy.Fault{Skew: -20 * time.Minute})
			tm.makeBuckets(tm.bucketsNamed(numbered("later", 0, 4)))
			change(tm, first[:2], func(b *v1beta1.Bucket) {
				b.Spec.ForProvider.Tags = map[string]v1beta1.TagValue{"changed": "meanwhile"}
			})
			tm.remove(first[2], first[3])
			tm.allSay(words)
			tm.goesOn()

			tm.proxy.Set(nil)
			tm.settles(8, 0)
			tm.removeAll()
			tm.settles(0, 0)
			t.Log("10 Buckets: 0 lost, 0 leaked, 0 stuck")
		})
	}
}
