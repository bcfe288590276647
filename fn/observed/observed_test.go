package observed

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"my-operator.dev/echo/fn/wire"
)

// message is a YAML document as the generated code's Struct.
func message(t testing.TB, doc string) *structpb.Struct {
	t.Helper()

	j, err := yaml.YAMLToJSONStrict([]byte(doc))
	if err != nil {
		t.Fatal(err)
	}

	s := &structpb.Struct{}
	if err := protojson.Unmarshal(j, s); err != nil {
		t.Fatal(err)
	}

	return s
}

// object is a YAML document as it comes in a request.
func object(t testing.TB, doc string) wire.Struct {
	t.Helper()

	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(message(t, doc))
	if err != nil {
		t.Fatal(err)
	}

	return b
}

// TestFieldsExist compares what is read with the Kubernetes types. A field read
// under a name that Kubernetes does not give it is always empty, and no other
// test need notice.
func TestFieldsExist(t *testing.T) {
	cases := map[string]struct {
		reason     string
		read, real reflect.Type
	}{
		"Pod":        {reason: "All that is read of a Pod should be there.", read: reflect.TypeFor[Pod](), real: reflect.TypeFor[corev1.Pod]()},
		"Deployment": {reason: "All that is read of a Deployment should be there.", read: reflect.TypeFor[Deployment](), real: reflect.TypeFor[appsv1.Deployment]()},
		"Service":    {reason: "All that is read of a Service should be there.", read: reflect.TypeFor[Service](), real: reflect.TypeFor[corev1.Service]()},
		"Quota":      {reason: "All that is read of a ResourceQuota should be there.", read: reflect.TypeFor[Quota](), real: reflect.TypeFor[corev1.ResourceQuota]()},
		"Autoscaler": {
			reason: "All that is read of a HorizontalPodAutoscaler should be there.",
			read:   reflect.TypeFor[Autoscaler](), real: reflect.TypeFor[autoscalingv2.HorizontalPodAutoscaler](),
		},
		"Object": {
			reason: "All that is read of any object should be in what every object has.",
			read:   reflect.TypeFor[Object](), real: reflect.TypeFor[metav1.PartialObjectMetadata](),
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			for _, path := range missing(tc.read, tc.real, "") {
				t.Errorf("\n%s\n%s has no field %s", tc.reason, tc.real, path)
			}
		})
	}
}

// missing are the paths of the fields of read that the real type lacks.
func missing(read, realType reflect.Type, path string) []string {
	read, realType = element(read), element(realType)
	if read == realType || read.Kind() != reflect.Struct || realType.Kind() != reflect.Struct {
		return nil
	}

	if read == reflect.TypeFor[time.Time]() && realType == reflect.TypeFor[metav1.Time]() {
		return nil // They have no fields, but one form: RFC 3339.
	}

	names := map[string]reflect.Type{}

	for _, f := range reflect.VisibleFields(realType) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if _, known := names[name]; name != "" && !known {
			names[name] = f.Type
		}
	}

	var paths []string

	for f := range read.Fields() {
		if !f.IsExported() {
			continue
		}

		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		at := strings.TrimPrefix(path+"."+name, ".")

		if in, ok := names[name]; ok {
			paths = append(paths, missing(f.Type, in, at)...)
		} else {
			paths = append(paths, at)
		}
	}

	return paths
}

// element is what a pointer or a slice is of.
func element(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}

	return t
}

func TestReadRefuses(t *testing.T) {
	read := map[string]func(wire.Struct) error{
		"Pod":        func(s wire.Struct) error { _, err := ReadPod(s); return err },
		"Deployment": func(s wire.Struct) error { _, err := ReadDeployment(s); return err },
		"Service":    func(s wire.Struct) error { _, err := ReadService(s); return err },
		"Object":     func(s wire.Struct) error { _, err := ReadObject(s); return err },
		"Spec":       func(s wire.Struct) error { _, err := ReadSpec(s); return err },
		"Quota":      func(s wire.Struct) error { _, err := ReadQuota(s); return err },
		"Autoscaler": func(s wire.Struct) error { _, err := ReadAutoscaler(s); return err },
	}

	cases := map[string]struct {
		reason string
		kind   string
		doc    string
		want   string
	}{
		"PodPhase": {
			reason: "A field of another type should be named.",
			kind:   "Pod", doc: `{status: {phase: 3}}`, want: "status.phase:",
		},
		"PodContainer": {
			reason: "A field deep in a list should be named with its index.",
			kind:   "Pod", doc: `{status: {containerStatuses: [{}, {state: {terminated: {exitCode: 1.5}}}]}}`,
			want: "status.containerStatuses[1].state.terminated.exitCode:",
		},
		"PodTime": {
			reason: "A time that is none should be named.",
			kind:   "Pod", doc: `{metadata: {creationTimestamp: yesterday}}`, want: "metadata.creationTimestamp:",
		},
		"PodSpec": {
			reason: "A spec that is no object cannot be asked for again.",
			kind:   "Pod", doc: `{spec: text}`, want: "spec:",
		},
		"DeploymentReplicas": {
			reason: "A number beyond its range should be refused, not cut.",
			kind:   "Deployment", doc: `{status: {replicas: 4294967297}}`, want: "status.replicas:",
		},
		"ServiceIngress": {
			reason: "A list that is none should be named.",
			kind:   "Service", doc: `{status: {loadBalancer: {ingress: none}}}`, want: "status.loadBalancer.ingress:",
		},
		"Spec": {
			reason: "A spec that is no object cannot be kept.",
			kind:   "Spec", doc: `{spec: [1]}`, want: "spec:",
		},
		"QuotaAmount": {
			reason: "An amount that is none should be named.",
			kind:   "Quota", doc: `{status: {used: {pods: [3]}}}`, want: "status.used.pods:",
		},
		"AutoscalerConditions": {
			reason: "A condition of another type should be named.",
			kind:   "Autoscaler", doc: `{status: {conditions: [{type: 1}]}}`, want: "status.conditions[0].type:",
		},
		"ObjectOwner": {
			reason: "Whether an object controls another must not be guessed.",
			kind:   "Object", doc: `{metadata: {ownerReferences: [{controller: "true"}]}}`, want: "metadata.ownerReferences[0].controller:",
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			err := read[tc.kind](object(t, tc.doc))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("\n%s\nwant an error with: %s\ngot: %v", tc.reason, tc.want, err)
			}
		})
	}
}
