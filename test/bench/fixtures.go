package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"google.golang.org/protobuf/proto"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"

	"my-operator.dev/echo/test/bench/fixture"
	"my-operator.dev/echo/test/bench/raw"
)

// works are what every server is measured at.
var works = []fixture.Case{
	fixture.Pods("A", 3),
	fixture.Deployment("B"),
	fixture.Pods("C", 100),
}

// A work is a case with its requests.
type work struct {
	fixture.Case

	requests map[string][]byte     // by the server they are for
	lengths  map[string]raw.Length // of the right answers, likewise
}

// prepare makes the requests of the cases, has function-echo answer them, and
// stores its answers for the servers that have none of their own.
func (r *rig) prepare(ctx context.Context, cases []fixture.Case) ([]*work, error) {
	processes, stop, err := r.startAll(ctx, []server{serverNamed(plainEcho), serverNamed(sdk)})
	if err != nil {
		return nil, err
	}
	defer stop()

	works := make([]*work, 0, len(cases))

	for _, c := range cases {
		w := &work{Case: c, requests: map[string][]byte{}, lengths: map[string]raw.Length{}}

		for _, p := range processes {
			request, answer, err := p.steady(ctx, c)
			if err != nil {
				return nil, errors.Wrapf(err, "cannot make request %s for %s", c.Name, p.name)
			}

			if !p.own {
				file := filepath.Join(r.answers(), fmt.Sprintf("%d-%s", len(request), c.Name))
				if err := os.WriteFile(file, answer, 0o600); err != nil {
					return nil, errors.Wrap(err, "cannot store an answer")
				}
			}

			for _, s := range servers {
				if s.own == p.own {
					w.requests[s.name], w.lengths[s.name] = request, raw.Length(len(answer))
				}
			}
		}

		works = append(works, w)
	}

	return works, nil
}

// steady makes the request of a case for the function that the process is, and
// has it answered.
func (p *process) steady(ctx context.Context, c fixture.Case) (request, answer []byte, err error) {
	req, err := fixture.Steady(ctx, c, p.ask)
	if err != nil {
		return nil, nil, err
	}

	// Not in the order of keys, and different with each build, is how core
	// sends it; the same bytes in each run make runs comparable.
	if request, err = (proto.MarshalOptions{Deterministic: true}).Marshal(req); err != nil {
		return nil, nil, errors.Wrap(err, "cannot encode the request")
	}

	answer, err = p.call(ctx, request)

	return request, answer, err
}

// ask has the server answer a request that is not in wire form.
func (p *process) ask(ctx context.Context, req *fnv1.RunFunctionRequest) (*fnv1.RunFunctionResponse, error) {
	b, err := proto.Marshal(req)
	if err != nil {
		return nil, errors.Wrap(err, "cannot encode the request")
	}

	if b, err = p.call(ctx, b); err != nil {
		return nil, err
	}

	rsp := &fnv1.RunFunctionResponse{}

	return rsp, errors.Wrap(proto.Unmarshal(b, rsp), "cannot decode the response")
}
