package bucket

import (
	"maps"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"my-operator.dev/echo/provider/s3"
)

const (
	// knownFor is how long what this process has just done to a bucket is taken for
	// what an observation would see.
	knownFor = 30 * time.Second

	// restFor is how long a setting is left alone that the server does not take.
	restFor = time.Hour

	// triesInVain is how often in a row a setting is written that is never seen as it
	// was written, before it is left alone: the server drops part of it without a
	// word, or somebody else keeps on changing it.
	triesInVain = 3

	// maxKnown is at how many entries those that are too old are looked for.
	maxKnown = 4096
)

// memory is what the process remembers of buckets, to spare calls. All of it can be
// lost: it is then found out again.
type memory struct {
	now func() time.Time

	mu    sync.Mutex
	known map[types.UID]known
	vain  map[types.UID]map[string]vain
	steps map[types.NamespacedName]step
}

// known is what was just done to a bucket: it was made, or deleted.
type known struct {
	at     time.Time
	server *s3.Client
	bucket string
	exists bool
	tags   map[string]string
}

// vain is how often a setting was written without effect.
type vain struct {
	generation int64
	writes     int
	since      time.Time

	// refused tells that the server said it does not have the setting.
	refused bool
}

func newMemory() *memory {
	return &memory{
		now:   time.Now,
		known: map[types.UID]known{},
		vain:  map[types.UID]map[string]vain{},
		steps: map[types.NamespacedName]step{},
	}
}

// learn remembers what was just done to a resource's bucket.
func (m *memory) learn(uid types.UID, k known) {
	m.mu.Lock()
	defer m.mu.Unlock()

	k.at = m.now()
	if len(m.known) >= maxKnown {
		for u, old := range m.known {
			if k.at.Sub(old.at) > knownFor {
				delete(m.known, u)
			}
		}
	}
	m.known[uid] = k
}

// recall returns what was just done to a bucket. It forgets it: the next observation
// asks the server, whatever comes of this one.
func (m *memory) recall(uid types.UID, server *s3.Client, bucket string) (known, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()

	k, ok := m.known[uid]
	delete(m.known, uid)

	return k, ok && k.server == server && k.bucket == bucket && m.now().Sub(k.at) <= knownFor
}

// wrote counts a write of a setting.
func (m *memory) wrote(uid types.UID, field string, generation int64) {
	m.count(uid, field, generation, false)
}

// refuse has a setting left alone, since the server does not have it.
func (m *memory) refuse(uid types.UID, field string, generation int64) {
	m.count(uid, field, generation, true)
}

func (m *memory) count(uid types.UID, field string, generation int64, refused bool) {
	m.mu.Lock()
	defer m.mu.Unlock()

	v := m.vain[uid][field]
	if v.generation != generation || m.now().Sub(v.since) > restFor {
		v = vain{generation: generation}
	}
	v.writes++
	v.refused = refused
	v.since = m.now()

	if m.vain[uid] == nil {
		m.dropVain()
		m.vain[uid] = map[string]vain{}
	}
	m.vain[uid][field] = v
}

// dropVain forgets what is too old to matter, once that is much.
func (m *memory) dropVain() {
	if len(m.vain) < maxKnown {
		return
	}
	for uid, of := range m.vain {
		maps.DeleteFunc(of, func(_ string, v vain) bool { return m.now().Sub(v.since) > restFor })
		if len(of) == 0 {
			delete(m.vain, uid)
		}
	}
}

// rests tells whether a setting is to be left alone, since the server does not have
// it, or has not kept it as it was written a few times in a row. Another generation
// of the spec, or an hour, and it is tried again.
func (m *memory) rests(uid types.UID, field string, generation int64) (refused, lost bool) {
	m.mu.Lock()
	defer m.mu.Unlock()

	v, ok := m.vain[uid][field]
	if !ok || v.generation != generation || m.now().Sub(v.since) > restFor {
		return false, false
	}

	return v.refused, !v.refused && v.writes >= triesInVain
}

// took forgets the writes of a setting that was seen as it was written.
func (m *memory) took(uid types.UID, field string) {
	m.mu.Lock()
	defer m.mu.Unlock()

	delete(m.vain[uid], field)
	if len(m.vain[uid]) == 0 {
		delete(m.vain, uid)
	}
}

// forget forgets what was written to a bucket that is gone.
func (m *memory) forget(uid types.UID) {
	m.mu.Lock()
	defer m.mu.Unlock()

	delete(m.vain, uid)
}
