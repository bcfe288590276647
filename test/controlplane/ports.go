package controlplane

import (
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// Ports are taken below the range that Linux takes the local ports of outgoing
// connections from (32768 and up), so that no connection can sit on a port
// between its reservation and its use, or while its server restarts.
const (
	firstPort = 20000
	lastPort  = 32000
)

// ports reserves ports. A reservation is a lock on a file named after the port,
// which every control plane on the machine respects and the kernel drops when
// its holder dies.
type ports struct {
	mu   sync.Mutex
	held []*os.File
}

// take reserves a port that nobody listens on.
func (p *ports) take() (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	const span = lastPort - firstPort
	offset := rand.IntN(span)
	for i := range span {
		port := firstPort + (offset+i)%span
		lock, err := tryLock(filepath.Join(locks(), strconv.Itoa(port)))
		if err != nil {
			continue
		}
		if !free(port) {
			_ = lock.Close()
			continue
		}
		p.held = append(p.held, lock)
		return port, nil
	}
	return 0, errors.Errorf("no port from %d to %d is free", firstPort, lastPort)
}

// release gives every reservation back. The files stay: one that is removed
// while somebody else opens it would be locked by two.
func (p *ports) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.held {
		_ = l.Close()
	}
	p.held = nil
}

func free(port int) bool {
	// The wildcard address, because a listener on any address is in the way of
	// one server or another.
	l, err := net.Listen("tcp", ":"+strconv.Itoa(port))
	if err != nil {
		return false
	}
	return l.Close() == nil
}

// loopback returns 127.0.0.1:port.
func loopback(port int) string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}
