package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crossplane/function-sdk-go/errors"
	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/crossplane/function-sdk-go/request"
	"github.com/crossplane/function-sdk-go/resource"
	"github.com/crossplane/function-sdk-go/resource/composed"
	"github.com/crossplane/function-sdk-go/response"

	echov1 "my-operator.dev/echo/apis/my-operator/v1"
)

// Function composes Echoes.
type Function struct {
	fnv1.UnimplementedFunctionRunnerServiceServer
}

// RunFunction composes one Echo.
func (f *Function) RunFunction(_ context.Context, req *fnv1.RunFunctionRequest) (*fnv1.RunFunctionResponse, error) {
	rsp := response.To(req, 0)

	if err := compose(req, rsp); err != nil {
		response.Fatal(rsp, err)
	}

	return rsp, nil
}

func compose(req *fnv1.RunFunctionRequest, rsp *fnv1.RunFunctionResponse) error {
	xr, err := request.GetObservedCompositeResource(req)
	if err != nil {
		return errors.Wrap(err, "cannot get observed composite resource")
	}

	echo := &echov1.Echo{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(xr.Resource.Object, echo); err != nil {
		return errors.Wrap(err, "cannot read composite resource")
	}

	observed, err := request.GetObservedComposedResources(req)
	if err != nil {
		return errors.Wrap(err, "cannot get observed composed resources")
	}

	desired, err := request.GetDesiredComposedResources(req)
	if err != nil {
		return errors.Wrap(err, "cannot get desired composed resources")
	}

	objects, err := render(echo)
	if err != nil {
		return errors.Wrap(err, "cannot render")
	}

	status := echov1.EchoStatus{LabelSelector: labelEcho + "=" + echo.Name}

	for _, name := range slices.Sorted(maps.Keys(objects)) {
		cd, err := composed.From(objects[name])
		if err != nil {
			return errors.Wrapf(err, "cannot convert composed resource %q", name)
		}

		ready := resource.ReadyFalse

		if o, ok := observed[name]; ok {
			if ready, err = observe(&status, echo, o.Resource); err != nil {
				return errors.Wrapf(err, "cannot read observed composed resource %q", name)
			}
		}

		desired[name] = &resource.DesiredComposed{Resource: cd, Ready: ready}
	}

	if err := response.SetDesiredComposedResources(rsp, desired); err != nil {
		return errors.Wrap(err, "cannot set desired composed resources")
	}

	return report(req, rsp, echo, status)
}

// observe counts an observed resource in, and tells whether it is ready.
func observe(status *echov1.EchoStatus, echo *echov1.Echo, o *composed.Unstructured) (resource.Ready, error) {
	switch o.GetKind() {
	case "Pod":
		p := &corev1.Pod{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, p); err != nil {
			return resource.ReadyFalse, err
		}

		status.CurrentReplicas++
		status.UpdatedReplicas++

		for _, c := range p.Status.Conditions {
			if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
				status.ReadyReplicas++
				return resource.ReadyTrue, nil
			}
		}

		return resource.ReadyFalse, nil
	case "Deployment":
		d := &appsv1.Deployment{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, d); err != nil {
			return resource.ReadyFalse, err
		}

		s := d.Status
		status.CurrentReplicas, status.ReadyReplicas, status.UpdatedReplicas = s.Replicas, s.ReadyReplicas, s.UpdatedReplicas

		if s.ObservedGeneration >= d.Generation && s.UpdatedReplicas == *d.Spec.Replicas && s.AvailableReplicas == *d.Spec.Replicas {
			return resource.ReadyTrue, nil
		}

		return resource.ReadyFalse, nil
	case "Service":
		p := echo.Spec.Ports[0]
		status.Address = fmt.Sprintf("%s.%s.svc:%d", echo.Name, echo.Namespace, *p.ServicePort)
	}

	return resource.ReadyTrue, nil
}

// report sets the status and the conditions.
func report(req *fnv1.RunFunctionRequest, rsp *fnv1.RunFunctionResponse, echo *echov1.Echo, status echov1.EchoStatus) error {
	want := *echo.Spec.Replicas
	status.IsReady = status.CurrentReplicas == want && status.ReadyReplicas == want && status.UpdatedReplicas == want
	status.Message = fmt.Sprintf("%d/%d replicas ready", status.ReadyReplicas, want)
	status.Phase = echov1.PhaseProgressing

	if status.IsReady {
		status.Phase = echov1.PhaseRunning
	}

	s, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&status)
	if err != nil {
		return errors.Wrap(err, "cannot convert status")
	}

	xr, err := request.GetDesiredCompositeResource(req)
	if err != nil {
		return errors.Wrap(err, "cannot get desired composite resource")
	}

	xr.Resource.Object["status"] = s
	if err := response.SetDesiredCompositeResource(rsp, xr); err != nil {
		return errors.Wrap(err, "cannot set desired composite resource")
	}

	response.ConditionTrue(rsp, "Accepted", "Accepted").TargetCompositeAndClaim()

	if status.IsReady {
		response.ConditionTrue(rsp, "WorkloadReady", "Ready").WithMessage(status.Message).TargetCompositeAndClaim()
		return nil
	}

	rsp.Desired.Composite.Ready = fnv1.Ready_READY_FALSE
	response.ConditionFalse(rsp, "WorkloadReady", "Progressing").WithMessage(status.Message).TargetCompositeAndClaim()

	return nil
}
