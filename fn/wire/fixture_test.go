package wire

import (
	"encoding/json"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// deterministic writes map entries in the order of their keys, as this package does.
var deterministic = proto.MarshalOptions{Deterministic: true}

// encodeMap returns what generated code writes for m.
func encodeMap(tb testing.TB, m map[string]any) Struct {
	tb.Helper()
	s, err := structpb.NewStruct(m)
	if err != nil {
		tb.Fatal(err)
	}
	return encodeProto(tb, s)
}

// encodeJSON returns what generated code writes for a JSON object.
func encodeJSON(tb testing.TB, text []byte) Struct {
	tb.Helper()
	s := &structpb.Struct{}
	if err := protojson.Unmarshal(text, s); err != nil {
		tb.Fatal(err)
	}
	return encodeProto(tb, s)
}

func encodeProto(tb testing.TB, m proto.Message) []byte {
	tb.Helper()
	b, err := deterministic.Marshal(m)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// encodeAny returns what the usual way writes for a Kubernetes object: through JSON, with all that it leaves in.
func encodeAny(tb testing.TB, v any) Struct {
	tb.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	return encodeJSON(tb, text)
}

// desiredPod is a Pod as a function composes it.
func desiredPod() *corev1.Pod {
	no, user, grace := false, int64(1000), int64(0)
	return &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Name: "echo-0", Namespace: "tenant",
			Labels: map[string]string{
				"app.kubernetes.io/name": "echo", "app.kubernetes.io/instance": "test-echo", "crossplane.io/composite": "test-echo",
			},
			Annotations: map[string]string{"my-operator.dev/note": "näıve ☃"},
		},
		Spec: corev1.PodSpec{
			AutomountServiceAccountToken:  &no,
			TerminationGracePeriodSeconds: &grace,
			SecurityContext: &corev1.PodSecurityContext{
				RunAsUser:      &user,
				SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
			},
			Volumes: []corev1.Volume{{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
			Containers: []corev1.Container{{
				Name: "echo", Image: "nginx:1.21", Command: []string{"nginx", "-g", "daemon off;"},
				Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: corev1.ProtocolTCP}},
				Env: []corev1.EnvVar{
					{Name: "GREETING", Value: "hello"},
					{Name: "NODE", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "spec.nodeName"}}},
				},
				Resources: corev1.ResourceRequirements{
					Requests: corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("128Mi")},
				},
				VolumeMounts: []corev1.VolumeMount{{Name: "tmp", MountPath: "/tmp"}},
				ReadinessProbe: &corev1.Probe{
					ProbeHandler:  corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/", Port: intstr.FromString("http")}},
					PeriodSeconds: 5,
				},
			}},
		},
	}
}

// observedPod is the Pod as an API server returns it, about 4 KiB of it.
func observedPod() *corev1.Pod {
	p := desiredPod()
	at := metav1.NewTime(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	p.UID, p.ResourceVersion, p.CreationTimestamp = "0e9a7d2e-5c1c-4f2e-9d7e-2b8f2c7f4b11", "123456", at
	p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "my-operator.dev/v1", Kind: "Echo", Name: "test-echo", UID: "abc"}}
	fields := []byte(`{"f:metadata":{"f:labels":{".":{},"f:app.kubernetes.io/name":{}}},"f:spec":{"f:containers":{` +
		`"k:{\"name\":\"echo\"}":{".":{},"f:image":{},"f:name":{},"f:ports":{".":{},"k:{\"containerPort\":8080}":{}}}}}}`)
	for _, m := range []string{"function-echo", "kubelet", "kube-controller-manager"} {
		p.ManagedFields = append(p.ManagedFields, metav1.ManagedFieldsEntry{
			Manager: m, Operation: metav1.ManagedFieldsOperationApply, APIVersion: "v1", Time: &at, FieldsType: "FieldsV1",
			FieldsV1: &metav1.FieldsV1{Raw: fields},
		})
	}
	p.Status = corev1.PodStatus{Phase: corev1.PodRunning, PodIP: "10.0.0.1", HostIP: "10.1.0.1", StartTime: &at, QOSClass: "Burstable"}
	for _, c := range []corev1.PodConditionType{"PodScheduled", "Initialized", "ContainersReady", "Ready", "PodReadyToStartContainers"} {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{
			Type: c, Status: corev1.ConditionTrue, LastTransitionTime: at, ObservedGeneration: 1,
		})
	}
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: "echo", Image: "nginx:1.21", ImageID: "sha256:0123456789abcdef", ContainerID: "containerd://0123456789abcdef", Ready: true,
		State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}},
	}}
	return p
}

// podView is what a function looks at.
type podView struct {
	Metadata struct {
		Name   string            `json:"name"`
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
	Status struct {
		Phase      string          `json:"phase"`
		Conditions []conditionView `json:"conditions"`
	} `json:"status"`
}

type conditionView struct {
	Type   string `json:"type"`
	Status string `json:"status"`
}
