package echo

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"my-operator.dev/echo/fn/app"
)

// oneOf finds a word that is none of those there are. No word is no mistake.
func oneOf[T ~string](m *mistakes, path string, got T, words ...T) {
	if got == "" || slices.Contains(words, got) {
		return
	}

	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", string(w))
	}

	last := len(quoted) - 1
	m.add(path, "must be %s or %s, got %q", strings.Join(quoted[:last], ", "), quoted[last], string(got))
}

func between(m *mistakes, path string, got, least, most int32) {
	if got < least || got > most {
		m.add(path, "must be between %d and %d, got %d", least, most, got)
	}
}

// exactlyOne finds a choice that was not made, or made twice.
func exactlyOne(m *mistakes, path string, choices map[string]bool) {
	n := 0

	for _, chosen := range choices {
		if chosen {
			n++
		}
	}

	if n != 1 {
		m.add(path, "needs exactly one of %s, has %d", strings.Join(slices.Sorted(maps.Keys(choices)), ", "), n)
	}
}

// portName is the name of a port, whether it was given one or not.
func portName(p app.Port) string {
	protocol := cmp.Or(p.Protocol, app.ProtocolTCP)
	return cmp.Or(p.Name, fmt.Sprintf("%s-%d", strings.ToLower(protocol), p.Port))
}

func ports(m *mistakes, ports []app.Port) {
	type number struct {
		protocol string
		port     int32
	}

	names, containers, services := map[string]bool{}, map[number]bool{}, map[number]bool{}

	for i, p := range ports {
		path := fmt.Sprintf("spec.ports[%d]", i)
		protocol := cmp.Or(p.Protocol, app.ProtocolTCP)
		servicePort := p.Port

		oneOf(m, path+".protocol", protocol, app.ProtocolTCP, app.ProtocolUDP, app.ProtocolSCTP)
		between(m, path+".port", p.Port, 1, 65535)

		if p.ServicePort != nil {
			servicePort = *p.ServicePort
			between(m, path+".servicePort", servicePort, 1, 65535)
		}

		name := portName(p)
		if names[name] {
			m.add(path+".name", "duplicate %q", name)
		}

		if containers[number{protocol, p.Port}] {
			m.add(path+".port", "duplicate %d/%s", p.Port, protocol)
		} else if services[number{protocol, servicePort}] {
			m.add(path+".servicePort", "duplicate %d/%s", servicePort, protocol)
		}

		names[name] = true
		containers[number{protocol, p.Port}] = true
		services[number{protocol, servicePort}] = true
	}
}
