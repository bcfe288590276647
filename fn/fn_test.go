package main

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/structpb"
	"sigs.k8s.io/yaml"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
)

// noon is when the tests run.
var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func newFunction() *Function {
	return &Function{Now: func() time.Time { return noon }, Log: slog.New(slog.DiscardHandler)}
}

// object is a YAML document as a Struct.
func object(t testing.TB, doc string) *structpb.Struct {
	t.Helper()

	j, err := yaml.YAMLToJSON([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}

	s := &structpb.Struct{}
	if err := protojson.Unmarshal(j, s); err != nil {
		t.Fatal(err)
	}

	return s
}

func resource(t testing.TB, doc string) *fnv1.Resource {
	t.Helper()
	return &fnv1.Resource{Resource: object(t, doc)}
}

// answer runs the function on a request made with the protocol's generated code,
// and reads the response with it.
func answer(t testing.TB, req *fnv1.RunFunctionRequest) *fnv1.RunFunctionResponse {
	t.Helper()

	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}

	return answerBytes(t, b)
}

func answerBytes(t testing.TB, b []byte) *fnv1.RunFunctionResponse {
	t.Helper()

	out, err := newFunction().Run(context.Background(), b)
	if err != nil {
		t.Fatal(err)
	}

	rsp := &fnv1.RunFunctionResponse{}
	if err := proto.Unmarshal(out, rsp); err != nil {
		t.Fatal(err)
	}

	return rsp
}

const (
	head = `
apiVersion: my-operator.dev/v1
kind: Echo
metadata:
  name: test-echo
  namespace: team-a
  uid: 11111111-2222-3333-4444-555555555555
`
	echoYAML = head + `
spec:
  replicas: 3
  image: "nginx:1.21"
`
)

// podZero is the key of the first Pod of the original Echo.
const podZero = "pod-a89e6784ef-0"

// observing is a request about the composite alone.
func observing(t testing.TB, doc string) *fnv1.RunFunctionRequest {
	t.Helper()

	return &fnv1.RunFunctionRequest{
		Meta:     &fnv1.RequestMeta{Tag: "t"},
		Observed: &fnv1.State{Composite: resource(t, doc)},
	}
}

func TestRunRefuses(t *testing.T) {
	with := func(spec string, edit ...func(*fnv1.RunFunctionRequest)) []byte {
		req := observing(t, head+"spec: "+spec)
		for _, e := range edit {
			e(req)
		}

		b, err := proto.Marshal(req)
		if err != nil {
			t.Fatal(err)
		}

		return b
	}
	input := func(doc string) func(*fnv1.RunFunctionRequest) {
		return func(req *fnv1.RunFunctionRequest) { req.Input = object(t, doc) }
	}
	ok := `{image: "nginx:1.21"}`

	cases := map[string]struct {
		reason  string
		request []byte
		want    string
	}{
		"NotAMessage": {
			reason:  "Bytes that are no message should be told so.",
			request: []byte("\xff\xff\xff"),
			want:    "cannot read RunFunctionRequest",
		},
		"NoComposite": {
			reason:  "A request with no observed composite should name it.",
			request: []byte{},
			want:    "observed.composite",
		},
		"OtherKind": {
			reason:  "A composite of another kind should be told that it is not for this function.",
			request: must(proto.Marshal(observing(t, "{apiVersion: v1, kind: Tea}"))),
			want:    "does not know how to compose a Tea of v1",
		},
		"ReplicasNegative": {
			reason:  "A negative number should be refused with its field.",
			request: with(`{image: "nginx:1.21", replicas: -1}`),
			want:    "spec.replicas: must be between 0 and 1000, got -1",
		},
		"ReplicasText": {
			reason:  "A value of the wrong type should be refused with its field.",
			request: with(`{image: "nginx:1.21", replicas: three}`),
			want:    "spec.replicas:",
		},
		"ReplicasFraction": {
			reason:  "A fraction should be refused where a whole number is due.",
			request: with(`{image: "nginx:1.21", replicas: 1.5}`),
			want:    "spec.replicas:",
		},
		"ImageEmpty": {
			reason:  "An Echo needs an image.",
			request: with(`{replicas: 1}`),
			want:    "spec.image: must not be empty",
		},
		"AllAtOnce": {
			reason: "All mistakes should come back in one pass.",
			request: with(`{replicas: 2000, workload: DaemonSet, ports: [` +
				`{name: a, port: 0}, {name: a, port: 80, protocol: HTTP}, {port: 80}, {port: 81, servicePort: 80}]}`),
			want: `spec.image: must not be empty or hold white space; ` +
				`spec.replicas: must be between 0 and 1000, got 2000; ` +
				`spec.workload: must be "Pods" or "Deployment", got "DaemonSet"; ` +
				`spec.ports[0].port: must be between 1 and 65535, got 0; ` +
				`spec.ports[1].protocol: must be "TCP", "UDP" or "SCTP", got "HTTP"; ` +
				`spec.ports[1].name: duplicate "a"; ` +
				`spec.ports[3].servicePort: duplicate 80/TCP`,
		},
		"NameCannotNameAService": {
			reason:  "A name that a Service cannot have should be refused before there is half an Echo.",
			request: must(proto.Marshal(observing(t, strings.Replace(head, "test-echo", "1.echo", 1)+`spec: {image: a, ports: [{port: 80}]}`))),
			want:    "metadata.name: an Echo with ports needs a name that a Service may have",
		},
		"NoNamespace": {
			reason:  "A cluster-scoped composite without a claim has no namespace to compose in.",
			request: must(proto.Marshal(observing(t, strings.Replace(head, "  namespace: team-a\n", "", 1)+`spec: {image: a}`))),
			want:    "metadata.namespace: must not be empty",
		},
		"InputForeignField": {
			reason:  "A field that the input does not have should be refused, or a platform's policy silently does not hold.",
			request: with(ok, input(`{apiVersion: echo.fn.my-operator.dev/v1beta1, kind: Input, limits: {maxReplica: 3}}`)),
			want:    "input.limits.maxReplica:",
		},
		"InputWrong": {
			reason:  "Mistakes in the input should be told with those in the spec.",
			request: with(`{}`, input(`{defaults: {workload: Job}, limits: {maxReplicas: -3}}`)),
			want:    `input.defaults.workload: must be "Pods" or "Deployment", got "Job"; input.limits.maxReplicas: must not be negative, got -3; spec.image: must not be empty`,
		},
		"OverLimit": {
			reason: "More than the platform allows should be refused with the limit and whose it is.",
			request: with(`{image: a, replicas: 4, crossplane: {compositionRef: {name: echoes}}, autoscaling: {maxReplicas: 9}}`,
				input(`{limits: {maxReplicas: 3, allowedImagePrefixes: [example.com/a, b/]}}`)),
			want: `spec.replicas: 4 is over the limit of 3, set by the platform team as limits.maxReplicas in Composition "echoes"; ` +
				`spec.autoscaling.maxReplicas: 9 is over the limit of 3, set by the platform team as limits.maxReplicas in Composition "echoes"; ` +
				`spec.image: "a" does not begin with any of example.com/a, b/, set by the platform team as limits.allowedImagePrefixes in Composition "echoes"`,
		},
		"KeyTaken": {
			reason: "A resource of an earlier function must not be overwritten.",
			request: with(`{image: "nginx:1.21"}`, func(req *fnv1.RunFunctionRequest) {
				req.Desired = &fnv1.State{Resources: map[string]*fnv1.Resource{podZero: {}}}
			}),
			want: `an earlier function of the pipeline composes a resource "` + podZero + `" too`,
		},
		"ObservedPodWrong": {
			reason: "An observed resource that does not decode should be named.",
			request: with(ok, func(req *fnv1.RunFunctionRequest) {
				req.Observed.Resources = map[string]*fnv1.Resource{"pod-a-0": resource(t, `{kind: Pod, status: {phase: 3}}`)}
			}),
			want: `cannot read observed resource "pod-a-0": status.phase:`,
		},
		"TooBigToAnswer": {
			reason:  "An answer that Crossplane would not accept should say so, instead of failing on the other side.",
			request: with(`{image: a, args: [` + strings.Repeat("x", 4<<20) + `]}`),
			want:    "and Crossplane accepts at most 4194304",
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			rsp := answerBytes(t, tc.request)

			if len(rsp.GetResults()) != 1 || rsp.GetResults()[0].GetSeverity() != fnv1.Severity_SEVERITY_FATAL {
				t.Fatalf("\n%s\nwant one fatal result, got %v", tc.reason, rsp.GetResults())
			}

			if got := rsp.GetResults()[0].GetMessage(); !strings.Contains(got, tc.want) {
				t.Errorf("\n%s\nwant: %s\ngot:  %s", tc.reason, tc.want, got)
			}
		})
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}

	return b
}

func TestRunPassesOn(t *testing.T) {
	earlier := &fnv1.State{
		Composite: &fnv1.Resource{
			Resource:          object(t, `{status: {colour: red, message: theirs}}`),
			ConnectionDetails: map[string][]byte{"k": []byte("v")},
		},
		Resources: map[string]*fnv1.Resource{
			"theirs": {Resource: object(t, `{apiVersion: v1, kind: ConfigMap}`), Ready: fnv1.Ready_READY_TRUE},
		},
	}
	req := observing(t, echoYAML)
	req.Desired = proto.CloneOf(earlier)
	req.Context = object(t, `{a: {b: [1, null, true]}}`)

	rsp := answer(t, req)

	if rsp.GetMeta().GetTag() != "t" || rsp.GetMeta().GetTtl().AsDuration() != 0 {
		t.Errorf("want the request's tag and no requeue, got %v", rsp.GetMeta())
	}

	if diff := cmp.Diff(req.GetContext(), rsp.GetContext(), protocmp.Transform()); diff != "" {
		t.Errorf("the context should pass through: -want, +got:\n%s", diff)
	}

	if diff := cmp.Diff(earlier.GetResources()["theirs"], rsp.GetDesired().GetResources()["theirs"], protocmp.Transform()); diff != "" {
		t.Errorf("an earlier function's resource should pass through: -want, +got:\n%s", diff)
	}

	composite := rsp.GetDesired().GetComposite()
	status := composite.GetResource().GetFields()["status"].GetStructValue().AsMap()

	if status["colour"] != "red" || status["message"] != "0/3 replicas ready" {
		t.Errorf("an earlier function's status should be kept, and ours be added to it; got %v", status)
	}

	if diff := cmp.Diff(earlier.GetComposite().GetConnectionDetails(), composite.GetConnectionDetails()); diff != "" {
		t.Errorf("an earlier function's connection details should pass through: -want, +got:\n%s", diff)
	}
}

func TestRunPassesOnWhenFatal(t *testing.T) {
	req := observing(t, head)
	req.Desired = &fnv1.State{Resources: map[string]*fnv1.Resource{"theirs": resource(t, `{kind: ConfigMap}`)}}

	rsp := answer(t, req)
	if diff := cmp.Diff(req.GetDesired(), rsp.GetDesired(), protocmp.Transform()); diff != "" {
		t.Errorf("what earlier functions want should pass through: -want, +got:\n%s", diff)
	}

	if c := rsp.GetConditions(); len(c) != 1 || c[0].GetType() != "Accepted" || c[0].GetReason() != "InvalidSpec" || !strings.Contains(c[0].GetMessage(), "spec.image") {
		t.Errorf("the claim should be told what is wrong with it, got %v", c)
	}
}

func TestRunClaim(t *testing.T) {
	rsp := answer(t, observing(t, `
apiVersion: my-operator.dev/v1
kind: XEcho
metadata: {name: test-echo-x7k2p, uid: u}
spec: {image: "nginx:1.21", claimRef: {namespace: team-b, name: test-echo}}
`))

	got := rsp.GetDesired().GetResources()[podZero].GetResource().GetFields()["metadata"].GetStructValue().AsMap()
	want := map[string]any{
		"namespace": "team-b",
		"labels": map[string]any{
			"app.kubernetes.io/managed-by": "function-echo",
			"app.kubernetes.io/name":       "test-echo",
			"my-operator.dev/echo":         "test-echo",
			"my-operator.dev/template":     got["labels"].(map[string]any)["my-operator.dev/template"],
		},
	}

	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a claim's Pods should be in its namespace and know it by its name: -want, +got:\n%s", diff)
	}
}

// TestRunNames follows a Service's name from being looked up to being used, or
// found to be another's.
func TestRunNames(t *testing.T) {
	doc := head + `spec: {image: a, replicas: 0, ports: [{port: 80}]}`
	service := `{apiVersion: v1, kind: Service, metadata: {name: test-echo%s}}`

	cases := map[string]struct {
		reason   string
		observed map[string]*fnv1.Resource
		required map[string]*fnv1.Resources
		asks     bool
		composes bool
		taken    string
	}{
		"NotLookedUp": {
			reason: "A name that nobody looked up yet should be asked for, and not be used.",
			asks:   true,
		},
		"Free": {
			reason:   "A name that nobody has should be used.",
			required: map[string]*fnv1.Resources{"service": {}},
			asks:     true,
			composes: true,
		},
		"Ours": {
			reason:   "A Service that is composed already needs no look-up.",
			observed: map[string]*fnv1.Resource{"service": resource(t, `{apiVersion: v1, kind: Service}`)},
			composes: true,
		},
		"OursButForgotten": {
			reason: "A Service that the composite controls is its own even where it lost the reference.",
			required: map[string]*fnv1.Resources{"service": {Items: []*fnv1.Resource{resource(t, strings.Replace(service, "%s",
				", ownerReferences: [{kind: Echo, uid: 11111111-2222-3333-4444-555555555555, controller: true}]", 1))}}},
			asks:     true,
			composes: true,
		},
		"Nobodys": {
			reason:   "A Service that nobody controls is somebody's all the same.",
			required: map[string]*fnv1.Resources{"service": {Items: []*fnv1.Resource{resource(t, strings.Replace(service, "%s", "", 1))}}},
			asks:     true,
			taken:    `Service "test-echo" exists already and is not this Echo's: rename or delete one of the two`,
		},
		"AnothersOwn": {
			reason: "A Service that another object controls should be left to it, and the object be named.",
			required: map[string]*fnv1.Resources{"service": {Items: []*fnv1.Resource{resource(t, strings.Replace(service, "%s",
				", ownerReferences: [{kind: Kafka, name: log, uid: x, controller: true}]", 1))}}},
			asks:  true,
			taken: `Service "test-echo" belongs to Kafka "log": rename or delete one of the two`,
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			req := observing(t, doc)
			req.Observed.Resources = tc.observed
			req.RequiredResources = tc.required
			rsp := answer(t, req)

			selector := &fnv1.ResourceSelector{
				ApiVersion: "v1", Kind: "Service", Namespace: new("team-a"),
				Match: &fnv1.ResourceSelector_MatchName{MatchName: "test-echo"},
			}
			if !tc.asks {
				selector = nil
			}

			if diff := cmp.Diff(selector, rsp.GetRequirements().GetResources()["service"], protocmp.Transform()); diff != "" {
				t.Errorf("\n%s\nrequirement: -want, +got:\n%s", tc.reason, diff)
			}

			if _, composes := rsp.GetDesired().GetResources()["service"]; composes != tc.composes {
				t.Errorf("\n%s\nwant the Service composed: %t, got %t", tc.reason, tc.composes, composes)
			}

			taken := ""
			if c := rsp.GetConditions()[0]; c.GetReason() == "NameTaken" {
				taken = c.GetMessage()
			}

			if diff := cmp.Diff(tc.taken, taken); diff != "" {
				t.Errorf("\n%s\nNameTaken: -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestRunLarge shows that a request as large as Crossplane's limit for answers
// is nothing special.
func TestRunLarge(t *testing.T) {
	req := observing(t, echoYAML)
	req.Observed.Resources = map[string]*fnv1.Resource{
		"theirs": resource(t, `{kind: ConfigMap, data: {x: `+strings.Repeat("x", 4<<20)+`}}`),
	}

	if rsp := answer(t, req); len(rsp.GetResults()) != 0 || len(rsp.GetDesired().GetResources()) != 3 {
		t.Errorf("want three Pods and no result, got %v", rsp.GetResults())
	}
}

func TestRunIsDeterministic(t *testing.T) {
	b := must(proto.Marshal(observing(t, head+`
spec: {image: a, replicas: 20, env: [{name: A, value: b}], ports: [{port: 80}, {port: 81}]}`)))

	first, _ := newFunction().Run(context.Background(), b)
	for range 20 {
		next, _ := newFunction().Run(context.Background(), b)
		if diff := cmp.Diff(first, next); diff != "" {
			t.Fatalf("equal requests should give equal bytes: -first, +next:\n%s", diff)
		}
	}
}

// FuzzRun shows that no bytes make the function panic, and that its answer is
// always one that the protocol's generated code reads.
func FuzzRun(f *testing.F) {
	for _, doc := range []string{echoYAML, head, head + `spec: {image: a, ports: [{port: 80}]}`, `{}`} {
		f.Add(must(proto.Marshal(observing(f, doc))))
	}

	steady := observing(f, echoYAML)
	steady.Observed.Resources = map[string]*fnv1.Resource{}

	if b, err := os.ReadFile("testdata/pod.yaml"); err != nil {
		f.Fatal(err)
	} else {
		steady.Observed.Resources[podZero] = resource(f, string(b))
	}

	f.Add(must(proto.Marshal(steady)))

	f.Fuzz(func(t *testing.T, b []byte) {
		out, err := newFunction().Run(context.Background(), b)
		if err != nil {
			t.Fatal(err)
		}

		if err := proto.Unmarshal(out, &fnv1.RunFunctionResponse{}); err != nil {
			t.Fatal(err)
		}

		again, _ := newFunction().Run(context.Background(), b)
		if string(out) != string(again) {
			t.Fatal("equal requests should give equal bytes")
		}
	})
}
