package bucketaccess

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/identity"
)

// defaultOverlap is how long keys of before go on to work where the spec does not say.
const defaultOverlap = time.Hour

// facts are all that decides what is to become of an access's keys.
type facts struct {
	// secret is the ID of the key in the Secret; empty if it holds none.
	secret string

	// server are the IDs of the keys that the server has for the access.
	server []string

	// seen is the status of before.
	seen v1beta1.BucketAccessObservation

	rotation v1beta1.Rotation
	now      time.Time
}

// A plan is what is to become of an access's keys.
type plan struct {
	// works tells that the key in the Secret is one that the server has. If not,
	// another has to be made.
	works bool

	// remove are keys that nobody knows, or whose time is over.
	remove []string

	// rotate tells that new keys are asked for, and can be made now.
	rotate bool

	// waits tells that new keys are asked for, and that those of before the
	// last rotation have to go first.
	waits bool

	// retiring are keys that are not in the Secret any more, and that still work.
	retiring []v1beta1.RetiringKey

	// trigger is the one that the key in the Secret was made for.
	trigger string

	// next is when the first of the retiring keys has to go; zero without any.
	next time.Time
}

// decide what is to become of an access's keys.
func decide(f facts) plan {
	p := plan{works: f.secret != "" && slices.Contains(f.server, f.secret), trigger: f.seen.Trigger}

	// The status is written after the Secret. Where they differ, it is the Secret
	// that has been written since: keys were made for what the spec asks now.
	if f.seen.AccessKeyID != f.secret {
		p.trigger = f.rotation.Trigger
	}

	overlap := defaultOverlap
	if f.rotation.Overlap != nil {
		overlap = f.rotation.Overlap.Duration
	}

	for _, id := range f.server {
		if id == f.secret {
			continue
		}

		since, known := f.retiringSince(id)
		if until := since.Add(overlap); known && until.After(f.now) {
			p.retiring = append(p.retiring, v1beta1.RetiringKey{AccessKeyID: id, Since: since})
			p.next = earlier(p.next, until)
		} else {
			p.remove = append(p.remove, id)
		}
	}

	p.makeRoom()

	asked := p.works && p.trigger != f.rotation.Trigger
	room := len(p.retiring)+1 < identity.MaxKeys
	p.rotate, p.waits = asked && room, asked && !room

	return p
}

// makeRoom lets the keys go that have been retiring for longest, where none of those
// on the server can be used and there is no room for another.
func (p *plan) makeRoom() {
	if p.works {
		return
	}

	slices.SortFunc(p.retiring, func(a, b v1beta1.RetiringKey) int { return a.Since.Compare(b.Since.Time) })

	for len(p.retiring) >= identity.MaxKeys {
		p.remove = append(p.remove, p.retiring[0].AccessKeyID)
		p.retiring = p.retiring[1:]
	}
}

// retiringSince is when a key that is not in the Secret was replaced by another; known
// is false if nobody can have it.
func (f facts) retiringSince(id string) (since metav1.Time, known bool) {
	for _, k := range f.seen.Retiring {
		if k.AccessKeyID == id {
			return k.Since, true
		}
	}

	// It was in the Secret when the status was written last.
	return metav1.NewTime(f.now).Rfc3339Copy(), id == f.seen.AccessKeyID
}

// earlier returns the earlier of two times, of which the first may be zero.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}

	return a
}
