package protocol

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"my-operator.dev/echo/fn/composition"
	"my-operator.dev/echo/fn/wire"
)

// Enum values of the protocol.
const (
	readyTrue  = 1
	readyFalse = 2

	severityFatal   = 1
	severityWarning = 2
	severityNormal  = 3

	targetCompositeAndClaim = 2

	conditionTrue  = 2
	conditionFalse = 3
)

// MaxResponse is the largest message, in bytes, that Crossplane core accepts
// from a function: the default of gRPC's clients, which core leaves as it is.
const MaxResponse = 4 << 20

// Encode writes the RunFunctionResponse that answers the request in e. Equal
// requests and responses give equal bytes: maps are written in the order of
// their keys, and fields in that of their numbers. Where no earlier function
// wants anything they are the bytes that generated code writes too, asked to be
// deterministic.
//
// It fails on an object that does not encode, which is a mistake of ours, and on
// an answer that core would not accept for its size. Answer those with
// EncodeFatal.
func Encode(e *Envelope, r *composition.Response) ([]byte, error) {
	if r.Fatal != nil {
		return EncodeFatal(e, r.Fatal, r.Conditions...), nil //nolint:nilerr // The error is the answer.
	}

	b := appendMeta(nil, e.tag, r.Requeue)

	b, err := appendMessage(b, 2, func(b []byte) ([]byte, error) { return e.appendDesired(b, r) })
	if err != nil {
		return nil, err
	}

	for _, ev := range r.Events {
		severity := uint64(severityNormal)
		if ev.Warning {
			severity = severityWarning
		}

		b = appendResult(b, severity, ev.Reason, ev.Message)
	}

	b = e.appendContext(b)
	b = appendRequirements(b, r)
	b = appendConditions(b, r.Conditions)

	if len(b) > MaxResponse {
		return nil, fmt.Errorf("the answer takes %d bytes, and Crossplane accepts at most %d", len(b), MaxResponse)
	}

	return b, nil
}

// EncodeFatal writes the RunFunctionResponse that keeps everything as it is,
// because of err.
func EncodeFatal(e *Envelope, err error, c ...composition.Condition) []byte {
	b := appendMeta(nil, e.tag, 0)

	if len(e.desired.b) > 0 {
		b = protowire.AppendBytes(protowire.AppendTag(b, 2, protowire.BytesType), e.desired.b)
	}

	b = appendResult(b, severityFatal, "", err.Error())
	b = e.appendContext(b)

	return appendConditions(b, c)
}

func appendMeta(b []byte, tag string, requeue time.Duration) []byte {
	b, _ = appendMessage(b, 1, func(b []byte) ([]byte, error) {
		b = appendText(b, 1, tag)

		return appendMessage(b, 2, func(b []byte) ([]byte, error) { // ttl
			// Up to the next second: rounded down, what is left of a wait would
			// turn into "never".
			if s := int64((requeue + time.Second - 1) / time.Second); s > 0 {
				b = appendEnum(b, 1, uint64(s))
			}

			return b, nil
		})
	})

	return b
}

// appendDesired appends the fields of a State: first what earlier functions
// want, as it came, then what this one adds. The latter override the former
// where both set the composite's status, so that is merged beforehand.
func (e *Envelope) appendDesired(b []byte, r *composition.Response) ([]byte, error) {
	b = append(b, e.desired.b...)

	b, err := e.appendComposite(b, r)
	if err != nil {
		return nil, within(err, "cannot write the composite's status")
	}

	keys, start := slices.Sorted(maps.Keys(r.Resources)), len(b)

	for i, key := range keys {
		// Resources of one composite are much alike: make room for as many
		// more as are still to come.
		if each := (len(b) - start) / max(i, 1); cap(b)-len(b) < 2*each {
			b = slices.Grow(b, each*(len(keys)-i)*9/8)
		}

		b, err = appendMessage(b, 2, func(b []byte) ([]byte, error) {
			return appendMessage(appendText(b, 1, key), 2, func(b []byte) ([]byte, error) {
				return appendResource(b, r.Resources[key])
			})
		})
		if err != nil {
			return nil, within(err, "cannot write composed resource %q", key)
		}
	}

	return b, nil
}

func (e *Envelope) appendComposite(b []byte, r *composition.Response) ([]byte, error) {
	if r.Status == nil && !r.NotReady {
		return b, nil
	}

	return appendMessage(b, 1, func(b []byte) ([]byte, error) {
		if r.Status != nil {
			status, err := e.mergedStatus(r.Status)
			if err != nil {
				return nil, err
			}

			if b, err = appendObject(b, map[string]wire.Struct{"status": status}); err != nil {
				return nil, err
			}
		}

		if r.NotReady {
			b = appendEnum(b, 3, readyFalse)
		}

		return b, nil
	})
}

func (e *Envelope) mergedStatus(ours any) (wire.Struct, error) {
	status, err := wire.Marshal(ours)
	if err != nil || len(e.status) == 0 {
		return status, err
	}

	merged := map[string]wire.Value{}

	for _, s := range []wire.Struct{e.status, status} {
		if err := wire.Unmarshal(s, &merged); err != nil {
			return nil, err
		}
	}

	return wire.Marshal(merged)
}

func appendResource(b []byte, r composition.Resource) ([]byte, error) {
	b, err := appendObject(b, r.Object)
	if err != nil {
		return nil, err
	}

	if r.Ready {
		return appendEnum(b, 3, readyTrue), nil
	}

	return appendEnum(b, 3, readyFalse), nil
}

func appendObject(b []byte, o any) ([]byte, error) {
	return appendMessage(b, 1, func(b []byte) ([]byte, error) { return wire.Append(b, o) })
}

func appendResult(b []byte, severity uint64, reason, message string) []byte {
	b, _ = appendMessage(b, 3, func(b []byte) ([]byte, error) {
		b = appendText(appendEnum(b, 1, severity), 2, message)
		b = appendText(b, 3, reason)

		return appendEnum(b, 4, targetCompositeAndClaim), nil
	})

	return b
}

func (e *Envelope) appendContext(b []byte) []byte {
	if !e.context.present {
		return b
	}

	return protowire.AppendBytes(protowire.AppendTag(b, 4, protowire.BytesType), e.context.b)
}

func appendRequirements(b []byte, r *composition.Response) []byte {
	if len(r.Requirements)+len(r.Schemas) == 0 {
		return b
	}

	b, _ = appendMessage(b, 5, func(b []byte) ([]byte, error) {
		for _, name := range slices.Sorted(maps.Keys(r.Requirements)) {
			b, _ = appendMessage(b, 2, func(b []byte) ([]byte, error) {
				return appendMessage(appendText(b, 1, name), 2, func(b []byte) ([]byte, error) {
					return appendSelector(b, r.Requirements[name])
				})
			})
		}

		for _, name := range slices.Sorted(maps.Keys(r.Schemas)) {
			b, _ = appendMessage(b, 3, func(b []byte) ([]byte, error) {
				return appendMessage(appendText(b, 1, name), 2, func(b []byte) ([]byte, error) {
					return appendKind(b, r.Schemas[name]), nil
				})
			})
		}

		return b, nil
	})

	return b
}

func appendKind(b []byte, k composition.Kind) []byte {
	return appendText(appendText(b, 1, k.APIVersion), 2, k.Kind)
}

// appendSelector appends the fields of ResourceSelector. What to match is a choice
// (a oneof), which generated code writes last.
func appendSelector(b []byte, s composition.Selector) ([]byte, error) {
	b = appendText(appendKind(b, s.Kind), 5, s.Namespace)

	if s.Name != "" {
		return appendText(b, 3, s.Name), nil
	}

	return appendMessage(b, 4, func(b []byte) ([]byte, error) { return appendLabels(b, s.Labels), nil })
}

// appendLabels appends the fields of MatchLabels: none for all objects.
func appendLabels(b []byte, labels map[string]string) []byte {
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		b, _ = appendMessage(b, 1, func(b []byte) ([]byte, error) {
			return appendText(appendText(b, 1, key), 2, labels[key]), nil
		})
	}

	return b
}

func appendConditions(b []byte, conditions []composition.Condition) []byte {
	for _, c := range conditions {
		status := uint64(conditionFalse)
		if c.Status {
			status = conditionTrue
		}

		b, _ = appendMessage(b, 6, func(b []byte) ([]byte, error) {
			b = appendEnum(appendText(b, 1, c.Type), 2, status)
			b = appendText(appendText(b, 3, c.Reason), 4, c.Message)

			return appendEnum(b, 5, targetCompositeAndClaim), nil
		})
	}

	return b
}
