package wire

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// required has fields that are not to be left out when they are zero, and some that cannot be written otherwise.
type required struct {
	Count  int                `json:"count"`
	Name   string             `json:"name"`
	On     bool               `json:"on"`
	Ptr    *int               `json:"ptr"`
	List   []string           `json:"list"`
	Map    map[string]string  `json:"map"`
	Any    any                `json:"any"`
	Port   intstr.IntOrString `json:"port"`
	Inner  inner              `json:"inner"`
	Nested struct {
		Count int `json:"count"`
	} `json:"nested"`
}

type upper string

func (u upper) MarshalText() ([]byte, error) { return []byte(strings.ToUpper(string(u))), nil }

type odd struct{ json string }

func (o odd) MarshalJSON() ([]byte, error) { return []byte(o.json), nil }

func TestMarshal(t *testing.T) {
	zero := 0
	cases := map[string]struct {
		reason string
		in     any
		want   string
	}{
		"Nothing":  {"An object with nothing set has no fields.", &corev1.Pod{}, `{}`},
		"Required": {"Zero scalars stay unless the tag says otherwise; null and {} do not.", required{}, `{"count":0,"name":"","on":false,"port":0}`},
		"OnPurpose": {"A pointer to zero, an empty object in a list, and what an any holds, stay.", required{
			Ptr: &zero, List: []string{""}, Map: map[string]string{"": ""}, Any: map[string]any{"a": map[string]any{}, "b": []any{nil}, "c": nil}},
			`{"count":0,"name":"","on":false,"port":0,"ptr":0,"list":[""],"map":{"":""},"any":{"a":{},"b":[null]}}`},
		"Empty": {"Empty slices and maps are unset.", required{List: []string{}, Map: map[string]string{}}, `{"count":0,"name":"","on":false,"port":0}`},
		"Deployment": {"replicas: 0 and emptyDir: {} stay, status and creationTimestamp do not come.", &appsv1.Deployment{
			TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
			Spec: appsv1.DeploymentSpec{Replicas: new(int32), Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
				Volumes: []corev1.Volume{{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
			}}},
		}, `{"apiVersion":"apps/v1","kind":"Deployment","spec":{"replicas":0,"template":{"spec":{"volumes":[{"name":"tmp","emptyDir":{}}]}}}}`},
		"Status": {"Required fields of a status do not bring it about.", &autoscalingv2.HorizontalPodAutoscaler{
			Spec: autoscalingv2.HorizontalPodAutoscalerSpec{MaxReplicas: 3},
		}, `{"spec":{"maxReplicas":3}}`},
		"Budget": {"Not in a PodDisruptionBudget either.", &policyv1.PodDisruptionBudget{
			Spec: policyv1.PodDisruptionBudgetSpec{MinAvailable: new(intstr.FromInt32(0)), Selector: &metav1.LabelSelector{}},
		}, `{"spec":{"minAvailable":0,"selector":{}}}`},
		"Service": {"Ports are numbers or names.", &corev1.Service{Spec: corev1.ServiceSpec{
			Ports: []corev1.ServicePort{{Port: 80, TargetPort: intstr.FromInt32(8080)}, {Port: 0, TargetPort: intstr.FromString("http")}, {Port: 9}},
		}}, `{"spec":{"ports":[{"port":80,"targetPort":8080},{"port":0,"targetPort":"http"},{"port":9}]}}`},
		"Quantities": {"A zero quantity is unset if it may be, and else as it is.", corev1.Container{
			Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"memory": resource.MustParse("1Gi"), "cpu": {}}},
			Env:       []corev1.EnvVar{{Name: "A", ValueFrom: &corev1.EnvVarSource{ResourceFieldRef: &corev1.ResourceFieldSelector{Resource: "limits.cpu"}}}},
		}, `{"name":"","resources":{"limits":{"cpu":"0","memory":"1Gi"}},"env":[{"name":"A","valueFrom":{"resourceFieldRef":{"resource":"limits.cpu"}}}]}`},
		"Maps": {"A map is an object too.", map[string]any{"z": 1, "a": int64(2), "m": map[string]inner{"x": {A: "y"}}, "n": []string{"b"}, "p": &zero, "s": inner{}},
			`{"z":1,"a":2,"m":{"x":{"a":"y"}},"n":["b"],"p":0,"s":{"a":""}}`},
		"Bytes":  {"Bytes are in base64.", &corev1.Secret{Data: map[string][]byte{"a": []byte("hello"), "b": {}, "c": nil}}, `{"data":{"a":"aGVsbG8=","b":""}}`},
		"Floats": {"A float32 is the decimal number it stands for.", map[string]any{"a": float32(0.1), "b": math.Copysign(0, -1), "c": uint8(3)}, `{"a":0.1,"b":-0.0,"c":3}`},
		"Text":   {"Types with MarshalText.", map[string]upper{"a": "x"}, `{"a":"X"}`},
		"JSON": {"Any JSON that a type has.", map[string]odd{"a": {`"\u00e9"`}, "b": {` [1.5, {"x": null}] `}, "c": {`null`}, "d": {"true"}, "e": {"-7"}},
			`{"a":"é","b":[1.5,{}],"d":true,"e":-7}`},
		"Long": {"Lengths of several bytes.", map[string]string{strings.Repeat("k", 200): strings.Repeat("v", 40_000)},
			`{"` + strings.Repeat("k", 200) + `":"` + strings.Repeat("v", 40_000) + `"}`},
	}
	for n, tc := range cases {
		t.Run(n, func(t *testing.T) {
			got, err := Marshal(tc.in)
			if err != nil {
				t.Fatal(err)
			}
			var want, have any
			wire := encodeJSON(t, []byte(tc.want))
			if err := errors.Join(Unmarshal(wire, &want), Unmarshal(got, &have)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, have); diff != "" || !slices.Equal(wire, got) {
				t.Errorf("\n%s\nMarshal(...): -want, +got:\n%s\nand the bytes of generated code are %x, ours %x", tc.reason, diff, wire, got)
			}
		})
	}
}

func TestMarshalErrors(t *testing.T) {
	type cycle struct {
		Next *cycle `json:"next"`
	}
	loop := &cycle{}
	loop.Next = loop
	cases := map[string]struct {
		reason string
		in     any
		want   string
	}{
		"Nil":        {"Nothing is no object.", nil, "cannot encode <nil> as a Struct: want a struct, a pointer to one that is not nil, or a map"},
		"NilPod":     {"Nor is no Pod.", (*corev1.Pod)(nil), "cannot encode *v1.Pod as a Struct: want a struct, a pointer to one that is not nil, or a map"},
		"Number":     {"Nor is a number.", 1, "cannot encode int as a Struct: want a struct, a pointer to one that is not nil, or a map"},
		"NaN":        {"JSON has no such number.", map[string]any{"a": []any{1.0, math.NaN()}}, "cannot encode map[string]interface {} as a Struct: a[1]: want a finite number, got NaN"},
		"Inf":        {"Nor this one.", &everything{Map: nil, Embedded: Embedded{}, F32: float32(math.Inf(-1))}, "cannot encode *wire.everything as a Struct: f32: want a finite number, got -Inf"},
		"UTF8":       {"Strings are UTF-8.", &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Image: "\xff"}}}}, `cannot encode *v1.Pod as a Struct: spec.containers[0].image: the string "\xff" is not valid UTF-8`},
		"KeyUTF8":    {"Keys too.", map[string]any{"m": map[string]string{"\xff": ""}}, `cannot encode map[string]interface {} as a Struct: m["\xff"]: the key is not valid UTF-8`},
		"Large":      {"An integer must not change.", map[string]any{"a.b": int64(1<<53 + 1)}, `cannot encode map[string]interface {} as a Struct: ["a.b"]: a double cannot hold 9007199254740993`},
		"Largest":    {"Not even at the end of the range.", map[string]any{"u": uint64(math.MaxUint64)}, `cannot encode map[string]interface {} as a Struct: u: a double cannot hold 18446744073709551615`},
		"Type":       {"Some types have no JSON.", map[string]any{"a": make(chan int)}, "cannot encode map[string]interface {} as a Struct: a: the Go type chan int is not supported"},
		"BadJSON":    {"Some types lie.", map[string]odd{"a": {"{"}}, "cannot encode map[string]wire.odd as a Struct: a: the JSON of wire.odd is wrong: unexpected end of JSON input"},
		"NoObject":   {"A type's own JSON may be anything.", odd{"1"}, "cannot encode wire.odd as a Struct: want an object, got a number 1"},
		"JSONNumber": {"A number in a string is neither.", map[string]any{"a": json.Number("1")}, "cannot encode map[string]interface {} as a Struct: a: the Go type json.Number is not supported"},
		"Cycle":      {"A cycle has no end.", loop, "cannot encode *wire.cycle as a Struct: " + strings.Repeat("next.", 127) + "next: objects and lists are nested more than 128 deep"},
	}
	for n, tc := range cases {
		t.Run(n, func(t *testing.T) {
			before := []byte("before")
			out, err := Append(before, tc.in)
			if err == nil || string(out) != "before" {
				t.Fatalf("\n%s\nAppend(...): want an error, got %x", tc.reason, out)
			}
			if diff := cmp.Diff(tc.want, err.Error()); diff != "" {
				t.Errorf("\n%s\nAppend(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestMarshalPod shows that the usual way would write the same, were it not for what it does not leave out.
func TestMarshalPod(t *testing.T) {
	for n, pod := range map[string]*corev1.Pod{"Desired": desiredPod(), "Observed": observedPod()} {
		t.Run(n, func(t *testing.T) {
			got, err := Marshal(pod)
			if err != nil {
				t.Fatal(err)
			}
			if want := encodeAny(t, pod); len(got) > len(want) {
				t.Errorf("Marshal(...): %d bytes, and the usual way has %d", len(got), len(want))
			}
			var again corev1.Pod
			if err := Unmarshal(got, &again); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(pod, &again); diff != "" {
				t.Errorf("Marshal(...): -want, +got:\n%s", diff)
			}
		})
	}
}
