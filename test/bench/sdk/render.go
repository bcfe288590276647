package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apiresource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"

	"github.com/crossplane/function-sdk-go/resource"

	echov1 "my-operator.dev/echo/apis/my-operator/v1"
)

const (
	labelEcho     = "my-operator.dev/echo"
	labelTemplate = "my-operator.dev/template"
)

// render is what an Echo is made of.
func render(echo *echov1.Echo) (map[resource.Name]runtime.Object, error) {
	objects := map[resource.Name]runtime.Object{}
	labels := map[string]string{
		labelEcho:                      echo.Name,
		"app.kubernetes.io/name":       echo.Name,
		"app.kubernetes.io/managed-by": "function-echo",
	}
	selector := map[string]string{labelEcho: echo.Name}
	named := metav1.ObjectMeta{Name: echo.Name, Namespace: echo.Namespace, Labels: labels}

	if len(echo.Spec.Ports) > 0 {
		objects["service"] = &corev1.Service{ObjectMeta: named, Spec: corev1.ServiceSpec{Selector: selector, Ports: servicePorts(echo)}}
	}

	if *echo.Spec.Replicas > 1 {
		objects["budget"] = &policyv1.PodDisruptionBudget{ObjectMeta: named, Spec: policyv1.PodDisruptionBudgetSpec{
			MinAvailable:               new(intstr.FromInt32(*echo.Spec.Replicas - 1)),
			Selector:                   &metav1.LabelSelector{MatchLabels: selector},
			UnhealthyPodEvictionPolicy: ptr.To(policyv1.AlwaysAllow),
		}}
	}

	j, err := json.Marshal(podSpec(echo))
	if err != nil {
		return nil, err
	}

	sum := sha256.Sum256(j)
	templated := maps.Clone(labels)
	templated[labelTemplate] = hex.EncodeToString(sum[:5])

	if echo.Spec.Workload == echov1.WorkloadDeployment {
		objects["deployment"] = &appsv1.Deployment{ObjectMeta: named, Spec: appsv1.DeploymentSpec{
			Replicas: echo.Spec.Replicas,
			Selector: &metav1.LabelSelector{MatchLabels: selector},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: templated}, Spec: podSpec(echo)},
		}}

		return objects, nil
	}

	for i := range *echo.Spec.Replicas {
		objects[resource.Name(fmt.Sprintf("pod-%s-%d", templated[labelTemplate], i))] = &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: echo.Namespace, Labels: templated},
			Spec:       podSpec(echo),
		}
	}

	return objects, nil
}

func podSpec(echo *echov1.Echo) corev1.PodSpec {
	ports := []corev1.ContainerPort{}
	for _, p := range echo.Spec.Ports {
		ports = append(ports, corev1.ContainerPort{Name: p.Name, ContainerPort: p.Port, Protocol: p.Protocol})
	}

	return corev1.PodSpec{
		AutomountServiceAccountToken: new(false),
		SecurityContext: &corev1.PodSecurityContext{
			SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
		},
		TopologySpreadConstraints: []corev1.TopologySpreadConstraint{spread(echo, corev1.LabelHostname), spread(echo, corev1.LabelTopologyZone)},
		Containers: []corev1.Container{{
			Name:  "echo",
			Image: echo.Spec.Image,
			Ports: ports,
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{
				corev1.ResourceCPU:    apiresource.MustParse("100m"),
				corev1.ResourceMemory: apiresource.MustParse("128Mi"),
			}},
			SecurityContext: &corev1.SecurityContext{AllowPrivilegeEscalation: new(false)},
		}},
	}
}

// spread keeps Pods apart where it can.
func spread(echo *echov1.Echo, key string) corev1.TopologySpreadConstraint {
	return corev1.TopologySpreadConstraint{
		MaxSkew: 1, TopologyKey: key, WhenUnsatisfiable: corev1.ScheduleAnyway,
		LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{labelEcho: echo.Name}},
	}
}

func servicePorts(echo *echov1.Echo) []corev1.ServicePort {
	ports := []corev1.ServicePort{}
	for _, p := range echo.Spec.Ports {
		ports = append(ports, corev1.ServicePort{
			Name: p.Name, Protocol: p.Protocol, Port: *p.ServicePort, TargetPort: intstr.FromString(p.Name), AppProtocol: p.AppProtocol,
		})
	}

	return ports
}
