package protocol

import (
	"google.golang.org/protobuf/encoding/protowire"

	"my-operator.dev/echo/fn/composition"
	"my-operator.dev/echo/fn/wire"
)

// An Envelope is a request and what its answer must carry back.
type Envelope struct {
	// Request is what to answer.
	Request composition.Request

	tag       string
	composite merged // Struct
	input     merged // Struct
	desired   merged // State, as the functions before this one left it.
	context   merged // Struct, likewise.
	status    wire.Struct
}

// Decode reads a RunFunctionRequest. What it returns points into b.
//
// It fails on bytes that are not such a message; even then the Envelope carries
// the tag if one could be read, so that the failure can be answered.
func Decode(b []byte) (*Envelope, error) {
	e := &Envelope{Request: composition.Request{
		Observed: map[string]wire.Struct{},
		Desired:  map[string]struct{}{},
		Required: map[string][]wire.Struct{},
		Schemas:  map[string]bool{},
	}}

	err := fields(b, func(n protowire.Number, v []byte) error {
		switch n {
		case 1: // meta
			return within(e.meta(v), "meta")
		case 2: // observed
			return within(e.observed(v), "observed")
		case 3: // desired
			e.desired.add(v)
		case 4: // input
			e.input.add(v)
		case 5: // context
			e.context.add(v)
		case 8: // required_resources
			return within(e.required(v), "required_resources")
		case 9: // required_schemas
			return within(e.schema(v), "required_schemas")
		default: // Credentials, and what later versions add.
		}

		return nil
	})
	if err != nil {
		return e, within(err, "cannot read RunFunctionRequest")
	}

	e.Request.Composite, e.Request.Input = e.composite.b, e.input.b

	return e, within(e.earlier(), "cannot read RunFunctionRequest: desired")
}

// Undecodable is what can be had of a request whose handling panicked, be it in
// here.
func Undecodable(b []byte) (e *Envelope) {
	defer func() {
		if recover() != nil {
			e = &Envelope{}
		}
	}()

	e, _ = Decode(b)

	return e
}

func (e *Envelope) meta(b []byte) error {
	return fields(b, func(n protowire.Number, v []byte) error {
		if n != 1 { // Capabilities: what this function needs, all of v2 has.
			return nil
		}

		tag, err := text(v)
		e.tag = tag

		return err
	})
}

func (e *Envelope) observed(b []byte) error {
	return fields(b, func(n protowire.Number, v []byte) error {
		switch n {
		case 1: // composite
			s, err := resource(v)
			e.composite.add(s)

			return within(err, "composite")
		case 2: // resources
			key, r, err := entry(v)
			if err != nil {
				return within(err, "resources")
			}

			s, err := resource(r)
			e.Request.Observed[key] = s

			return within(err, "resources[%q]", key)
		default:
		}

		return nil
	})
}

// earlier notes what the functions before this one want, so that nothing of
// theirs is overwritten.
func (e *Envelope) earlier() error {
	var composite merged

	err := fields(e.desired.b, func(n protowire.Number, v []byte) error {
		switch n {
		case 1: // composite
			s, err := resource(v)
			composite.add(s)

			return within(err, "composite")
		case 2: // resources
			key, _, err := entry(v)
			e.Request.Desired[key] = struct{}{}

			return within(err, "resources")
		default:
		}

		return nil
	})
	if err != nil || len(composite.b) == 0 {
		return err
	}

	var xr struct {
		Status wire.Struct `json:"status"`
	}

	if err := wire.Unmarshal(composite.b, &xr); err != nil {
		return within(err, "composite")
	}

	e.status = xr.Status

	return nil
}

func (e *Envelope) required(b []byte) error {
	name, v, err := entry(b)
	if err != nil {
		return err
	}

	items := []wire.Struct{}
	err = fields(v, func(n protowire.Number, v []byte) error {
		if n != 1 { // items
			return nil
		}

		s, err := resource(v)
		items = append(items, s)

		return err
	})
	e.Request.Required[name] = items

	return within(err, "[%q]", name)
}

func (e *Envelope) schema(b []byte) error {
	name, v, err := entry(b)
	if err != nil {
		return err
	}

	served := false
	err = fields(v, func(n protowire.Number, _ []byte) error {
		served = served || n == 1 // openapi_v3
		return nil
	})
	e.Request.Schemas[name] = served

	return within(err, "[%q]", name)
}

// resource reads the object of a Resource message.
func resource(b []byte) (wire.Struct, error) {
	var s merged

	err := fields(b, func(n protowire.Number, v []byte) error {
		if n == 1 { // resource
			s.add(v)
		}

		return nil
	})

	return s.b, err
}

// entry reads an entry of a map from string to some message.
func entry(b []byte) (key string, value []byte, err error) {
	var m merged

	err = fields(b, func(n protowire.Number, v []byte) error {
		var err error

		switch n {
		case 1:
			key, err = text(v)
		case 2:
			m.add(v)
		default:
		}

		return err
	})

	return key, m.b, err
}
