package server

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	fnv1beta1 "github.com/crossplane/function-sdk-go/proto/v1beta1"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/structpb"
)

func TestCall(t *testing.T) {
	// 5 MiB in one field: more than gRPC's default limit, and in hundreds of HTTP/2 frames.
	large := tagged("large")
	large.Input = &structpb.Struct{Fields: map[string]*structpb.Value{"x": structpb.NewStringValue(strings.Repeat("x", 5<<20))}}

	medium := tagged("medium")
	medium.Desired = &fnv1.State{Composite: &fnv1.Resource{Resource: &structpb.Struct{Fields: map[string]*structpb.Value{
		"x": structpb.NewStringValue(strings.Repeat("y", 100<<10)),
	}}}}

	cases := map[string]struct {
		reason  string
		handler Handler
		req     *fnv1.RunFunctionRequest
		want    *fnv1.RunFunctionResponse
		code    codes.Code
	}{
		"Small": {
			reason: "A request of one frame is handed over without a copy.", handler: echo,
			req:  tagged("a"),
			want: &fnv1.RunFunctionResponse{Meta: &fnv1.ResponseMeta{Tag: "a"}},
		},
		"Empty": {
			reason: "An empty message is a message.", handler: echo,
			req:  &fnv1.RunFunctionRequest{},
			want: &fnv1.RunFunctionResponse{Meta: &fnv1.ResponseMeta{}},
		},
		"Medium": {
			reason: "A request of several frames arrives in one piece and in order.", handler: echo,
			req:  medium,
			want: &fnv1.RunFunctionResponse{Meta: &fnv1.ResponseMeta{Tag: "medium"}, Desired: medium.GetDesired()},
		},
		"Large": {
			reason: "A request above gRPC's default limit of 4 MiB is accepted.", handler: echo,
			req:  large,
			want: &fnv1.RunFunctionResponse{Meta: &fnv1.ResponseMeta{Tag: "large"}},
		},
		"Error": {
			reason:  "An error that is no status is Unknown, as gRPC has it.",
			handler: func(context.Context, []byte) ([]byte, error) { return nil, errors.New("no") },
			req:     tagged("a"), code: codes.Unknown,
		},
		"Status": {
			reason:  "An error that is a status keeps its code.",
			handler: func(context.Context, []byte) ([]byte, error) { return nil, status.Error(codes.ResourceExhausted, "no") },
			req:     tagged("a"), code: codes.ResourceExhausted,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := start(t, Options{Handler: tc.handler})
			got, err := fnv1.NewFunctionRunnerServiceClient(r.dial(t, nil)).RunFunction(t.Context(), tc.req)
			if diff := cmp.Diff(tc.code, status.Code(err)); diff != "" {
				t.Fatalf("%s\n-want code, +got code:\n%s\n%v", tc.reason, diff, err)
			}
			if diff := cmp.Diff(tc.want, got, protocmp.Transform()); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestBeta(t *testing.T) {
	r := start(t, Options{Handler: echo})
	got, err := fnv1beta1.NewFunctionRunnerServiceClient(r.dial(t, nil)).RunFunction(t.Context(),
		&fnv1beta1.RunFunctionRequest{Meta: &fnv1beta1.RequestMeta{Tag: "old"}})
	if err != nil {
		t.Fatal(err)
	}
	want := &fnv1beta1.RunFunctionResponse{Meta: &fnv1beta1.ResponseMeta{Tag: "old"}}
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Errorf("Core up to v1.16 calls v1beta1.\n-want, +got:\n%s", diff)
	}
}

func TestConcurrentCallsDoNotMix(t *testing.T) {
	r := start(t, Options{Handler: echo})
	conn := r.dial(t, nil)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			// Of many sizes, so that buffers lent to one call have served another before.
			for j := range 50 {
				tag := strings.Repeat(string(rune('a'+i)), 1+(i*7919+j*1021)%60000)
				got, err := fnv1.NewFunctionRunnerServiceClient(conn).RunFunction(t.Context(), tagged(tag))
				if err != nil || got.GetMeta().GetTag() != tag {
					t.Errorf("call %d/%d: an answer of %d bytes to a tag of %d bytes: %v", i, j, len(got.GetMeta().GetTag()), len(tag), err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestPanic(t *testing.T) {
	handler := func(ctx context.Context, request []byte) ([]byte, error) {
		req := &fnv1.RunFunctionRequest{}
		if err := proto.Unmarshal(request, req); err == nil && req.GetMeta().GetTag() == "bad" {
			panic("boom")
		}
		return echo(ctx, request)
	}
	cases := map[string]struct {
		reason   string
		panicked func([]byte, any) []byte
		want     *fnv1.RunFunctionResponse
		code     codes.Code
	}{
		"Once": {
			reason: "A panic is a Fatal result with the request's tag.", panicked: fatal,
			want: fatalResponse("bad", "boom"),
		},
		"Twice": {
			reason:   "A panic over a panic fails the call.",
			panicked: func([]byte, any) []byte { panic("again") },
			code:     codes.Internal,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := start(t, Options{Handler: handler, Panicked: tc.panicked})
			c := fnv1.NewFunctionRunnerServiceClient(r.dial(t, nil))
			got, err := c.RunFunction(t.Context(), tagged("bad"))
			if diff := cmp.Diff(tc.code, status.Code(err)); diff != "" {
				t.Fatalf("%s\n-want code, +got code:\n%s\n%v", tc.reason, diff, err)
			}
			if diff := cmp.Diff(tc.want, got, protocmp.Transform()); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s", tc.reason, diff)
			}
			if _, err := c.RunFunction(t.Context(), tagged("good")); err != nil {
				t.Errorf("The server must live on: %v", err)
			}
			if log := r.log.String(); !strings.Contains(log, "boom") || !strings.Contains(log, "server.TestPanic") {
				t.Errorf("The log must have the value and the stack: %s", log)
			}
			if _, body := r.get(t, "/metrics"); !strings.Contains(body, "\nfunction_panics_total 1\n") {
				t.Errorf("The panic must be counted: %s", body)
			}
		})
	}
}
