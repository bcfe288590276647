package s3

import (
	"context"
	"sync"
)

// locks are mutexes by key. A key that nobody holds or waits for takes no memory.
type locks struct {
	mu   sync.Mutex
	keys map[string]*keyLock
}

type keyLock struct {
	// turn holds one token, which is the lock.
	turn chan struct{}
	// users are those who hold or wait.
	users int
}

// lock waits for the key's turn, or for the end of the context.
func (l *locks) lock(ctx context.Context, key string) (func(), error) {
	k := l.join(key)
	select {
	case k.turn <- struct{}{}:
		return sync.OnceFunc(func() {
			<-k.turn
			l.leave(key, k)
		}), nil
	case <-ctx.Done():
		l.leave(key, k)
		return nil, &Error{Class: Cancelled, cause: ctx.Err()}
	}
}

func (l *locks) join(key string) *keyLock {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.keys == nil {
		l.keys = map[string]*keyLock{}
	}
	k, ok := l.keys[key]
	if !ok {
		k = &keyLock{turn: make(chan struct{}, 1)}
		l.keys[key] = k
	}
	k.users++
	return k
}

func (l *locks) leave(key string, k *keyLock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if k.users--; k.users == 0 {
		delete(l.keys, key)
	}
}
