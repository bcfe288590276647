package main

import (
	"bytes"
	"maps"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/structpb"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"

	"my-operator.dev/echo/fn/wire"
)

var deterministic = proto.MarshalOptions{Deterministic: true}

// read reads an answer with the protocol's generated code, and holds it against
// what that code would have written:
//
//   - Where no earlier function wants anything, the answer is the very bytes that
//     the generated encoder writes of what the generated decoder reads.
//   - What earlier functions want goes on in the bytes it came in, of which one
//     message may have several. Then the two are of one meaning: all that
//     earlier functions want is in it as it was.
//
// That it can be read at all says that its strings are UTF-8.
func read(req *fnv1.RunFunctionRequest, out []byte) (*fnv1.RunFunctionResponse, error) {
	rsp := &fnv1.RunFunctionResponse{}
	if err := proto.Unmarshal(out, rsp); err != nil {
		return nil, errors.Wrap(err, "the generated code cannot read the answer")
	}

	for key, r := range req.GetDesired().GetResources() {
		if got := rsp.GetDesired().GetResources()[key]; !proto.Equal(r, got) {
			return nil, errors.Errorf("resource %q of an earlier function: -want, +got:\n%s", key, cmp.Diff(r, got, protocmp.Transform()))
		}
	}

	if !proto.Equal(rsp.GetContext(), req.GetContext()) {
		return nil, errors.New("the context is not passed on")
	}

	theirs, err := deterministic.Marshal(rsp)
	if err != nil {
		return nil, errors.Wrap(err, "the generated code cannot write the answer")
	}

	if proto.Size(req.GetDesired()) == 0 && !bytes.Equal(out, theirs) {
		n := 0
		for n < min(len(out), len(theirs)) && out[n] == theirs[n] {
			n++
		}

		return nil, errors.Errorf("from byte %d of %d on the answer is not what the generated code writes in %d bytes: %.80q, want %.80q",
			n, len(out), len(theirs), out[n:], theirs[n:])
	}

	return rsp, nil
}

// checkMeaning holds every part of a request and its answer against the generated
// code and what JSON makes of it. It costs as much as many answers.
//
//   - Each object reads the same with package wire and with the generated code.
//   - Each object that this function wants is written the same by both.
//   - JSON can express the whole answer, and nothing is lost on the way there and
//     back: so there are no fields that the generated code does not know, no
//     values without a kind, no NaN, and no durations out of range.
func checkMeaning(req *fnv1.RunFunctionRequest, rsp *fnv1.RunFunctionResponse) error {
	for key, s := range objects(req) {
		if err := sameObject(s); err != nil {
			return errors.Wrapf(err, "request: %s", key)
		}
	}

	for key, r := range rsp.GetDesired().GetResources() {
		if err := sameObject(r.GetResource()); err != nil {
			return errors.Wrapf(err, "answer: %q", key)
		}

		if _, theirs := req.GetDesired().GetResources()[key]; theirs {
			continue
		}

		if err := sameBytes(r.GetResource()); err != nil {
			return errors.Wrapf(err, "answer: %q", key)
		}
	}

	if err := sameObject(rsp.GetDesired().GetComposite().GetResource()); err != nil {
		return errors.Wrap(err, "answer: composite")
	}

	j, err := protojson.Marshal(rsp)
	if err != nil {
		return errors.Wrap(err, "JSON cannot express the answer")
	}

	back := &fnv1.RunFunctionResponse{}
	if err := protojson.Unmarshal(j, back); err != nil {
		return errors.Wrap(err, "cannot read the JSON of the answer")
	}

	if !proto.Equal(rsp, back) {
		return errors.Errorf("JSON does not express all of the answer: -answer, +JSON:\n%s", cmp.Diff(rsp, back, protocmp.Transform()))
	}

	return nil
}

// objects are all objects of a request, by where they are in it.
func objects(req *fnv1.RunFunctionRequest) map[string]*structpb.Struct {
	all := map[string]*structpb.Struct{
		"composite":         req.GetObserved().GetComposite().GetResource(),
		"desired composite": req.GetDesired().GetComposite().GetResource(),
		"input":             req.GetInput(),
		"context":           req.GetContext(),
	}

	for key, r := range req.GetObserved().GetResources() {
		all["observed "+key] = r.GetResource()
	}

	for key, r := range req.GetDesired().GetResources() {
		all["desired "+key] = r.GetResource()
	}

	for name, rs := range req.GetRequiredResources() {
		for _, r := range rs.GetItems() {
			all["required "+name] = r.GetResource()
		}
	}

	maps.DeleteFunc(all, func(_ string, s *structpb.Struct) bool { return s == nil })

	return all
}

// sameObject reads an object with package wire, in the order in which the
// generated code writes maps by default, which is random.
func sameObject(s *structpb.Struct) error {
	b, err := proto.Marshal(s)
	if err != nil {
		return err
	}

	got := map[string]any{}
	if err := wire.Unmarshal(b, &got); err != nil {
		return err
	}

	if want := s.AsMap(); !equal(want, got) {
		return errors.Errorf("-generated code, +wire:\n%s", cmp.Diff(want, got))
	}

	return nil
}

// sameBytes writes an object with package wire, which leaves out nulls: there
// must be none in what this function wants.
func sameBytes(s *structpb.Struct) error {
	want, err := deterministic.Marshal(s)
	if err != nil {
		return err
	}

	got, err := wire.Marshal(s.AsMap())
	if err != nil {
		return err
	}

	if !bytes.Equal(want, got) {
		return errors.Errorf("-generated code, +wire:\n%s", cmp.Diff(want, []byte(got)))
	}

	return nil
}
