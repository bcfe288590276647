package protocol

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	"pgregory.net/rapid"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"

	"my-operator.dev/echo/fn/composition"
)

// answer encodes a response to a request, and reads it with the generated code.
func answer(t testing.TB, req *fnv1.RunFunctionRequest, r *composition.Response) *fnv1.RunFunctionResponse {
	t.Helper()

	e, err := Decode(encoded(t, req))
	if err != nil {
		t.Fatal(err)
	}

	b, err := Encode(e, r)
	if err != nil {
		t.Fatal(err)
	}

	return response(t, b)
}

func response(t testing.TB, b []byte) *fnv1.RunFunctionResponse {
	t.Helper()

	rsp := &fnv1.RunFunctionResponse{}
	if err := proto.Unmarshal(b, rsp); err != nil {
		t.Fatalf("the generated code should read what Encode writes: %v", err)
	}

	return rsp
}

// now is the meta of an answer to an untagged request that waits for nothing.
func now() *fnv1.ResponseMeta { return &fnv1.ResponseMeta{Ttl: &durationpb.Duration{}} }

func TestEncode(t *testing.T) {
	both := fnv1.Target_TARGET_COMPOSITE_AND_CLAIM.Enum()
	nothing := &fnv1.RunFunctionRequest{}

	cases := map[string]struct {
		reason   string
		request  *fnv1.RunFunctionRequest
		response *composition.Response
		want     *fnv1.RunFunctionResponse
	}{
		"Nothing": {
			reason:   "A response that wants nothing should say so, and that it need not be asked again.",
			request:  nothing,
			response: &composition.Response{},
			want:     &fnv1.RunFunctionResponse{Meta: now(), Desired: &fnv1.State{}},
		},
		"PassesOn": {
			reason:   "The tag, the context and what earlier functions want should come back as they came.",
			request:  request(t),
			response: &composition.Response{},
			want: &fnv1.RunFunctionResponse{
				Meta:    &fnv1.ResponseMeta{Tag: "t", Ttl: &durationpb.Duration{}},
				Desired: request(t).GetDesired(),
				Context: request(t).GetContext(),
			},
		},
		"ContextEmpty": {
			reason:   "An empty context is a context.",
			request:  &fnv1.RunFunctionRequest{Context: &structpb.Struct{}},
			response: &composition.Response{},
			want:     &fnv1.RunFunctionResponse{Meta: now(), Desired: &fnv1.State{}, Context: &structpb.Struct{}},
		},
		"Resources": {
			reason:  "A resource that is not ready should say so: unspecified leaves it to whoever comes next.",
			request: nothing,
			response: &composition.Response{Resources: map[string]composition.Resource{
				"a": {Object: map[string]any{"kind": "Pod"}, Ready: true},
				"b": {Object: map[string]any{"kind": "Service", "spec": map[string]any{"ports": []any{80}}}},
			}},
			want: &fnv1.RunFunctionResponse{Meta: now(), Desired: &fnv1.State{Resources: map[string]*fnv1.Resource{
				"a": {Resource: object(t, `{kind: Pod}`), Ready: fnv1.Ready_READY_TRUE},
				"b": {Resource: object(t, `{kind: Service, spec: {ports: [80]}}`), Ready: fnv1.Ready_READY_FALSE},
			}}},
		},
		"Status": {
			reason:   "A status should be the composite's alone: its readiness follows from its resources.",
			request:  nothing,
			response: &composition.Response{Status: struct{ A, B int }{A: 1}},
			want: &fnv1.RunFunctionResponse{Meta: now(), Desired: &fnv1.State{
				Composite: &fnv1.Resource{Resource: object(t, `{status: {A: 1, B: 0}}`)},
			}},
		},
		"StatusMerged": {
			reason:  "Our fields of a status should be added to those of earlier functions, and override the same ones whole.",
			request: &fnv1.RunFunctionRequest{Desired: &fnv1.State{Composite: composed(t, `{status: {a: 1, b: {x: 1}, c: null, d: []}, other: kept}`)}},
			response: &composition.Response{Status: map[string]any{
				"b": map[string]any{"z": 2}, "e": "ours",
			}},
			want: &fnv1.RunFunctionResponse{Meta: now(), Desired: &fnv1.State{
				Composite: composed(t, `{status: {a: 1, b: {z: 2}, c: null, d: [], e: ours}, other: kept}`),
			}},
		},
		"NotReady": {
			reason: "A composite that lacks a resource should not be ready, whatever earlier functions think.",
			request: &fnv1.RunFunctionRequest{Desired: &fnv1.State{
				Composite: &fnv1.Resource{Ready: fnv1.Ready_READY_TRUE, ConnectionDetails: map[string][]byte{"k": []byte("v")}},
			}},
			response: &composition.Response{NotReady: true},
			want: &fnv1.RunFunctionResponse{Meta: now(), Desired: &fnv1.State{
				Composite: &fnv1.Resource{Ready: fnv1.Ready_READY_FALSE, ConnectionDetails: map[string][]byte{"k": []byte("v")}},
			}},
		},
		"Conditions": {
			reason:  "Conditions should reach the claim, in the order in which they come.",
			request: nothing,
			response: &composition.Response{Conditions: []composition.Condition{
				{Type: "WorkloadReady", Reason: "Progressing", Message: "2/3 replicas ready"},
				{Type: "Accepted", Status: true, Reason: "Accepted"},
			}},
			want: &fnv1.RunFunctionResponse{Meta: now(), Desired: &fnv1.State{}, Conditions: []*fnv1.Condition{
				{Type: "WorkloadReady", Status: fnv1.Status_STATUS_CONDITION_FALSE, Reason: "Progressing", Message: new("2/3 replicas ready"), Target: both},
				{Type: "Accepted", Status: fnv1.Status_STATUS_CONDITION_TRUE, Reason: "Accepted", Target: both},
			}},
		},
		"Events": {
			reason:  "Events should reach the claim, each with its severity.",
			request: nothing,
			response: &composition.Response{Events: []composition.Event{
				{Warning: true, Reason: "NameTaken", Message: "Service \"shop\" exists already"},
				{Reason: "Scaled", Message: "to 3"},
			}},
			want: &fnv1.RunFunctionResponse{Meta: now(), Desired: &fnv1.State{}, Results: []*fnv1.Result{
				{Severity: fnv1.Severity_SEVERITY_WARNING, Reason: new("NameTaken"), Message: `Service "shop" exists already`, Target: both},
				{Severity: fnv1.Severity_SEVERITY_NORMAL, Reason: new("Scaled"), Message: "to 3", Target: both},
			}},
		},
		"Requirements": {
			reason:  "A selector should be by name if it has one and else by its labels, which may be none, and without a namespace leave it out.",
			request: nothing,
			response: &composition.Response{
				Requirements: map[string]composition.Selector{
					"one": {Kind: composition.Kind{APIVersion: "v1", Kind: "Service"}, Namespace: "team-a", Name: "shop"},
					"all": {Kind: composition.Kind{APIVersion: "v1", Kind: "Pod"}, Namespace: "team-a"},
					"few": {Kind: composition.Kind{APIVersion: "v1", Kind: "Pod"}, Namespace: "team-a", Labels: map[string]string{"b": "", "a": "x"}},
					"far": {Kind: composition.Kind{APIVersion: "v1", Kind: "Node"}, Name: "node-0"},
				},
				Schemas: map[string]composition.Kind{"monitor": {APIVersion: "monitoring.coreos.com/v1", Kind: "PodMonitor"}},
			},
			want: &fnv1.RunFunctionResponse{Meta: now(), Desired: &fnv1.State{}, Requirements: &fnv1.Requirements{
				Resources: map[string]*fnv1.ResourceSelector{
					"one": {ApiVersion: "v1", Kind: "Service", Namespace: new("team-a"), Match: &fnv1.ResourceSelector_MatchName{MatchName: "shop"}},
					"all": {ApiVersion: "v1", Kind: "Pod", Namespace: new("team-a"), Match: &fnv1.ResourceSelector_MatchLabels{MatchLabels: &fnv1.MatchLabels{}}},
					"few": {ApiVersion: "v1", Kind: "Pod", Namespace: new("team-a"), Match: &fnv1.ResourceSelector_MatchLabels{
						MatchLabels: &fnv1.MatchLabels{Labels: map[string]string{"a": "x", "b": ""}},
					}},
					"far": {ApiVersion: "v1", Kind: "Node", Match: &fnv1.ResourceSelector_MatchName{MatchName: "node-0"}},
				},
				Schemas: map[string]*fnv1.SchemaSelector{"monitor": {ApiVersion: "monitoring.coreos.com/v1", Kind: "PodMonitor"}},
			}},
		},
		"Fatal": {
			reason:  "A fatal response should keep what earlier functions want, tell the claim why, and say nothing else.",
			request: request(t),
			response: &composition.Response{
				Fatal:      errors.New("cannot read"),
				Conditions: []composition.Condition{{Type: "Accepted", Reason: "InvalidSpec", Message: "spec.image: must not be empty"}},
				Resources:  map[string]composition.Resource{"a": {Object: map[string]any{"kind": "Pod"}}},
				Status:     map[string]any{"a": 1},
				Requeue:    time.Minute,
			},
			want: &fnv1.RunFunctionResponse{
				Meta:    &fnv1.ResponseMeta{Tag: "t", Ttl: &durationpb.Duration{}},
				Desired: request(t).GetDesired(),
				Context: request(t).GetContext(),
				Results: []*fnv1.Result{{Severity: fnv1.Severity_SEVERITY_FATAL, Message: "cannot read", Target: both}},
				Conditions: []*fnv1.Condition{
					{Type: "Accepted", Status: fnv1.Status_STATUS_CONDITION_FALSE, Reason: "InvalidSpec", Message: new("spec.image: must not be empty"), Target: both},
				},
			},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, answer(t, tc.request, tc.response), protocmp.Transform()); diff != "" {
				t.Errorf("\n%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestEncodeRequeues shows that a response that asks to be called again is called
// again: a time to live of zero means never.
func TestEncodeRequeues(t *testing.T) {
	cases := map[string]struct {
		reason  string
		requeue time.Duration
	}{
		"Never":       {reason: "Zero should wait for a change."},
		"Seconds":     {reason: "Whole seconds should come out as they are.", requeue: 19 * time.Second},
		"Fraction":    {reason: "Called again too early, there would be a moment left to wait.", requeue: 19*time.Second + 300*time.Millisecond},
		"LastMoment":  {reason: "What is left of a wait, however little, should not become never.", requeue: 300 * time.Millisecond},
		"LastInstant": {reason: "What is left of a wait, however little, should not become never.", requeue: 1},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			ttl := answer(t, &fnv1.RunFunctionRequest{}, &composition.Response{Requeue: tc.requeue}).GetMeta().GetTtl()

			got := ttl.AsDuration()
			if got < tc.requeue || got >= tc.requeue+time.Second || ttl.CheckValid() != nil {
				t.Errorf("\n%s\nwant %s, or up to a second more, got %s", tc.reason, tc.requeue, got)
			}
		})
	}
}

// TestEncodeIsText shows that text which quotes what is no text does not make the
// whole answer unreadable: the protocol's strings are UTF-8.
func TestEncodeIsText(t *testing.T) {
	const bad, want = "what \xff is", "what \uFFFD is"

	cases := map[string]struct {
		reason   string
		response *composition.Response
		got      func(*fnv1.RunFunctionResponse) string
	}{
		"Event": {
			reason:   "An event may quote what it is about.",
			response: &composition.Response{Events: []composition.Event{{Message: bad}}},
			got:      func(r *fnv1.RunFunctionResponse) string { return r.GetResults()[0].GetMessage() },
		},
		"Fatal": {
			reason:   "An error may quote what it complains about.",
			response: composition.Fatal(errors.New(bad)),
			got:      func(r *fnv1.RunFunctionResponse) string { return r.GetResults()[0].GetMessage() },
		},
		"Condition": {
			reason:   "So may a condition, which says the same.",
			response: composition.Fatal(errors.New("x"), composition.Condition{Type: "Accepted", Message: bad}),
			got:      func(r *fnv1.RunFunctionResponse) string { return r.GetConditions()[0].GetMessage() },
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := tc.got(answer(t, &fnv1.RunFunctionRequest{}, tc.response)); got != want {
				t.Errorf("\n%s\nwant %q, got %q", tc.reason, want, got)
			}
		})
	}
}

// TestEncodeMeansTheSameOfAny puts responses upon requests of all shapes, and
// compares what the generated code reads with what it would have written.
func TestEncodeMeansTheSameOfAny(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		req := drawRequest(r)
		own := drawOwn(r)

		e, err := Decode(encoded(t, req))
		if err != nil {
			r.Fatal(err)
		}

		b, err := Encode(e, own.response())
		if err != nil {
			r.Fatal(err)
		}

		again, err := Encode(e, own.response())
		if err != nil || !bytes.Equal(b, again) {
			r.Fatalf("equal responses should give equal bytes (%v)", err)
		}

		if diff := cmp.Diff(own.upon(req), response(t, b), protocmp.Transform()); diff != "" {
			r.Fatalf("-want, +got:\n%s", diff)
		}
	})
}
