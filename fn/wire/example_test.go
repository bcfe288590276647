package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"my-operator.dev/echo/fn/wire"
)

// observed stands for what arrives in a request: the wire form of an object.
func observed(object map[string]any) wire.Struct {
	s, err := structpb.NewStruct(object)
	if err != nil {
		panic(err)
	}
	b, err := proto.Marshal(s)
	if err != nil {
		panic(err)
	}
	return b
}

// A function that only wants to know whether a Pod is ready declares just the fields that say so.
func ExampleUnmarshal() {
	pod := observed(map[string]any{
		"metadata": map[string]any{"name": "echo-0", "uid": "8a2f"},
		"spec":     map[string]any{"containers": []any{map[string]any{"name": "echo", "image": "nginx"}}},
		"status": map[string]any{"conditions": []any{
			map[string]any{"type": "PodScheduled", "status": "True"},
			map[string]any{"type": "Ready", "status": "False", "message": "containers with unready status: [echo]"},
		}},
	})

	var view struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Status struct {
			Conditions []struct {
				Type    string `json:"type"`
				Status  string `json:"status"`
				Message string `json:"message"`
			} `json:"conditions"`
		} `json:"status"`
	}
	if err := wire.Unmarshal(pod, &view); err != nil {
		fmt.Println(err)
	}
	for _, c := range view.Status.Conditions {
		if c.Type == "Ready" && c.Status != "True" {
			fmt.Printf("%s is not ready: %s\n", view.Metadata.Name, c.Message)
		}
	}
	// Output: echo-0 is not ready: containers with unready status: [echo]
}

// All mistakes of a user come back at once, and a misspelt field is one of them.
func ExampleUnmarshalStrict() {
	composite := observed(map[string]any{
		"spec": map[string]any{
			"replicas": 1.5,
			"imgae":    "nginx",
			"ports":    []any{map[string]any{"port": 80}, map[string]any{"port": "http"}},
		},
	})

	var echo struct {
		Spec struct {
			Image    string `json:"image"`
			Replicas int32  `json:"replicas"`
			Ports    []struct {
				Port int32 `json:"port"`
			} `json:"ports"`
		} `json:"spec"`
	}
	if mistakes, ok := errors.AsType[wire.FieldErrors](wire.UnmarshalStrict(composite, &echo)); ok {
		for _, m := range mistakes {
			fmt.Println(m)
		}
	}
	// Output:
	// spec.imgae: unknown field
	// spec.ports[1].port: expected a whole number, got a string "http"
	// spec.replicas: expected a whole number, got a number 1.5
}

// What is written is what was set, be it set to zero. There is no status and no creationTimestamp, which a server-side
// apply would otherwise own.
func ExampleMarshal() {
	replicas := int32(0)
	s, err := wire.Marshal(&appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: metav1.ObjectMeta{Name: "echo"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
				Volumes: []corev1.Volume{{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
			}},
		},
	})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(asText(s))
	// Output:
	// {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"echo"},"spec":{"replicas":0,"template":{"spec":{"volumes":[{"emptyDir":{},"name":"tmp"}]}}}}
}

// A field of type Value or Struct is kept as it is, and costs nothing however large it is.
func ExampleValue() {
	composite := observed(map[string]any{
		"spec":   map[string]any{"image": "nginx", "replicas": 3},
		"status": map[string]any{"phase": "Ready", "address": "10.0.0.1"},
	})
	var echo struct {
		Spec   wire.Struct           `json:"spec"`
		Status map[string]wire.Value `json:"status"`
	}
	if err := wire.Unmarshal(composite, &echo); err != nil {
		fmt.Println(err)
	}
	delete(echo.Status, "phase")
	s, err := wire.Marshal(echo)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(asText(s))
	// Output: {"spec":{"image":"nginx","replicas":3},"status":{"address":"10.0.0.1"}}
}

// asText returns the JSON of what generated code makes of s.
func asText(s wire.Struct) string {
	m := &structpb.Struct{}
	if err := proto.Unmarshal(s, m); err != nil {
		return err.Error()
	}
	text, err := protojson.Marshal(m)
	if err != nil {
		return err.Error()
	}
	// protojson puts in spaces at random.
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		return err.Error()
	}
	return out.String()
}
