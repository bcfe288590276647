package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"my-operator.dev/echo/fn/app"
	"my-operator.dev/echo/fn/composition"
	"my-operator.dev/echo/fn/echo"
	"my-operator.dev/echo/fn/observed"
	"my-operator.dev/echo/fn/protocol"
)

// A Function answers RunFunctionRequests.
type Function struct {
	// Now tells the time.
	Now func() time.Time
	Log *slog.Logger
}

// Run answers one request, both in wire form. Whatever is wrong with the request
// comes back as a fatal result, which makes Crossplane keep all that exists.
func (f *Function) Run(_ context.Context, request []byte) ([]byte, error) {
	e, err := protocol.Decode(request)
	if err != nil {
		return protocol.EncodeFatal(e, err), nil
	}

	rsp := f.compose(&e.Request)
	if rsp.Fatal != nil {
		f.Log.Debug("Cannot compose", "error", rsp.Fatal)
	}

	b, err := protocol.Encode(e, rsp)
	if err != nil {
		return protocol.EncodeFatal(e, fmt.Errorf("cannot answer: %w", err)), nil
	}

	return b, nil
}

// Panicked answers a request whose handling panicked.
func (f *Function) Panicked(request []byte, _ any) []byte {
	return protocol.EncodeFatal(protocol.Undecodable(request), errors.New("function-echo panicked, which is a mistake in it; its log says where"))
}

// compose hands the composite to the package that knows its kind.
func (f *Function) compose(req *composition.Request) *composition.Response {
	if len(req.Composite) == 0 {
		return composition.Fatal(errors.New("observed.composite: the request holds no composite resource"))
	}

	xr, err := observed.ReadObject(req.Composite)
	if err != nil {
		return composition.Fatal(fmt.Errorf("cannot read the composite resource: %w", err))
	}

	switch {
	case xr.APIVersion == app.APIVersion && (xr.Kind == app.KindEcho || xr.Kind == app.KindXEcho):
		return keyed(req, echo.Compose(req, f.Now()))
	default:
		return composition.Fatal(fmt.Errorf("function-echo does not know how to compose a %s of %s", xr.Kind, xr.APIVersion))
	}
}

// keyed sees to it that no resource of an earlier function is overwritten.
func keyed(req *composition.Request, rsp *composition.Response) *composition.Response {
	for key := range rsp.Resources {
		if _, taken := req.Desired[key]; taken {
			return composition.Fatal(fmt.Errorf("an earlier function of the pipeline composes a resource %q too: give it another name there", key))
		}
	}

	return rsp
}
