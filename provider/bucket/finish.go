package bucket

import (
	"context"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"my-operator.dev/echo/apis/storage/v1beta1"
)

// finishing is a manager whose client spares the status that the managed reconciler
// writes between two steps where the next one has nothing left to do but to write
// another: it calls every bucket that was just made one that is being made, and one
// that was just deleted one that is being deleted. With thousands of Buckets these
// writes are what takes longest, since the API server is slower than most S3 servers.
type finishing struct {
	ctrl.Manager

	memory *memory
}

// GetClient returns the client that the managed reconciler uses.
func (m finishing) GetClient() client.Client {
	return finishingClient{Client: m.Manager.GetClient(), memory: m.memory}
}

type finishingClient struct {
	client.Client

	memory *memory
}

// Status returns the writer of statuses.
func (c finishingClient) Status() client.SubResourceWriter {
	return finishingWriter{SubResourceWriter: c.Client.Status(), memory: c.memory}
}

type finishingWriter struct {
	client.SubResourceWriter

	memory *memory
}

// Update the status of a Bucket: one that was just made, and is all that the spec
// declares, is available, and one that is gone needs no status any more. Where
// something went wrong after the step it is left as the reconciler has it.
func (w finishingWriter) Update(ctx context.Context, o client.Object, opts ...client.SubResourceUpdateOption) error {
	b, ok := o.(*v1beta1.Bucket)
	if !ok || b.GetCondition(xpv2.TypeSynced).Status != corev1.ConditionTrue {
		return w.SubResourceWriter.Update(ctx, o, opts...)
	}

	switch reason := b.GetCondition(xpv2.TypeReady).Reason; w.memory.at(client.ObjectKeyFromObject(b)) {
	case finished:
		if reason == xpv2.ReasonCreating {
			set(b, xpv2.Available())
		}
	case dropped:
		if reason == xpv2.ReasonDeleting {
			return nil
		}
	case nowhere, further:
	}

	return w.SubResourceWriter.Update(ctx, o, opts...)
}
