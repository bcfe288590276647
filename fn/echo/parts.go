package echo

import (
	"fmt"
	"strings"

	"my-operator.dev/echo/fn/composition"
	"my-operator.dev/echo/fn/monitoring"
	"my-operator.dev/echo/fn/network"
	"my-operator.dev/echo/fn/observed"
	"my-operator.dev/echo/fn/readiness"
	"my-operator.dev/echo/fn/scaling"
	"my-operator.dev/echo/fn/storage"
	"my-operator.dev/echo/fn/workload"
)

// Keys of the composed resources. A key is a resource's identity: Crossplane
// deletes what loses its key.
const (
	keyPodPrefix    = "pod-"
	keyDeployment   = "deployment"
	keyFilesPrefix  = "files-"
	keyService      = "service"
	keyIngress      = "ingress"
	keyAutoscaler   = "autoscaler"
	keyBudget       = "budget"
	keyPodMonitor   = "podmonitor"
	keyBucketPrefix = "bucket-"
	// No key of a bucket begins with this one, whatever the bucket's name.
	keyAccessPrefix = "bucketaccess-"
)

// Kinds that are composed under a name that somebody else might have.
var (
	kindDeployment = composition.Kind{APIVersion: "apps/v1", Kind: "Deployment"}
	kindConfigMap  = composition.Kind{APIVersion: "v1", Kind: "ConfigMap"}
	kindService    = composition.Kind{APIVersion: "v1", Kind: "Service"}
	kindIngress    = composition.Kind{APIVersion: "networking.k8s.io/v1", Kind: "Ingress"}
	kindAutoscaler = composition.Kind{APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler"}
	kindBudget     = composition.Kind{APIVersion: "policy/v1", Kind: "PodDisruptionBudget"}
	kindPodMonitor = composition.Kind{APIVersion: monitoring.APIVersion, Kind: monitoring.Kind}
	kindBucket     = composition.Kind{APIVersion: storage.APIVersion, Kind: storage.KindBucket}
	kindAccess     = composition.Kind{APIVersion: storage.APIVersion, Kind: storage.KindAccess}
)

// files composes the ConfigMap with the files that are written in the spec. The
// one of before stays until no Pod of before is left.
func (c *composer) files(done bool) error {
	current := ""

	if h := workload.FilesHash(c.app); h != "" {
		current = keyFilesPrefix + h

		err := c.named(current, kindConfigMap, workload.FilesName(c.app), workload.NewFiles(c.app), c.exists(current))
		if err != nil {
			return err
		}
	}

	for key, s := range c.req.Observed {
		if done || key == current || !strings.HasPrefix(key, keyFilesPrefix) {
			continue
		}

		kept, err := workload.KeepFiles(c.app, s)
		if err != nil {
			return fmt.Errorf("cannot read observed resource %q: %w", key, err)
		}

		c.rsp.Resources[key] = composition.Resource{Object: kept, Ready: true}
	}

	return nil
}

func (c *composer) service() error {
	if len(c.app.Spec.Ports) == 0 {
		return nil
	}

	ready := false

	if s, ok := c.req.Observed[keyService]; ok {
		v, err := observed.ReadService(s)
		if err != nil {
			return fmt.Errorf("cannot read observed resource %q: %w", keyService, err)
		}

		ready = readiness.Service(v).Ready
	}

	return c.named(keyService, kindService, c.app.Name, network.NewService(c.app), ready)
}

func (c *composer) ingress() error {
	if c.app.Spec.Ingress == nil {
		return nil
	}

	return c.named(keyIngress, kindIngress, c.app.Name, network.NewIngress(c.app), c.exists(keyIngress))
}

func (c *composer) autoscaler() error {
	if c.app.Spec.Autoscaling == nil {
		return nil
	}

	return c.named(keyAutoscaler, kindAutoscaler, c.app.Name, scaling.NewAutoscaler(c.app), c.exists(keyAutoscaler))
}

func (c *composer) budget() error {
	if !scaling.WantsBudget(c.app) {
		return nil
	}

	return c.named(keyBudget, kindBudget, c.app.Name, scaling.NewBudget(c.app), c.exists(keyBudget))
}

// podMonitor composes a PodMonitor if the cluster serves that kind, which
// Crossplane is asked for. Applying an object of a kind that is not served would
// fail all else with it.
func (c *composer) podMonitor() error {
	if c.app.Spec.Monitoring == nil {
		return nil
	}

	c.rsp.Schemas[keyPodMonitor] = kindPodMonitor

	if !c.req.Schemas[keyPodMonitor] {
		return nil
	}

	return c.named(keyPodMonitor, kindPodMonitor, c.app.Name, monitoring.NewPodMonitor(c.app), c.exists(keyPodMonitor))
}

// exists is true of a composed resource that is there. Some kinds need no more
// to do their job.
func (c *composer) exists(key string) bool {
	_, ok := c.req.Observed[key]
	return ok
}
