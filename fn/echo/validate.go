package echo

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"my-operator.dev/echo/fn/app"

	"my-operator.dev/echo/fn/wire"
)

// Admission refuses most of what is refused here, and earlier. It is refused
// here too because not every request passed an API server with the schema of
// this version: a local render does not, nor does a composite that is older than
// a rule.

// The greatest numbers that the schema allows.
const (
	maxReplicas    = 1000
	maxUtilization = 1000
	maxBuckets     = 8
)

var (
	// serviceName is what may name a Service: a DNS label that starts with a
	// letter (RFC 1035).
	serviceName = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)
	// bucketName is what may name a bucket in a spec, and envPrefix what may be
	// put in front of its variables.
	bucketName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$`)
	envPrefix  = regexp.MustCompile(`^[A-Z][A-Z0-9_]{0,31}$`)
)

// mistakes collects what is wrong with a spec: one per field, because what does
// not decode is likely to break other rules too.
type mistakes wire.FieldErrors

func (m *mistakes) add(path, problem string, args ...any) {
	if slices.ContainsFunc(*m, func(e wire.FieldError) bool { return e.Path == path }) {
		return
	}

	*m = append(*m, wire.FieldError{Path: path, Problem: fmt.Sprintf(problem, args...)})
}

func validateInput(m *mistakes, in *app.Policy) {
	oneOf(m, "input.defaults.workload", in.Defaults.Workload, app.WorkloadPods, app.WorkloadDeployment)
	oneOf(m, "input.defaults.securityProfile", in.Defaults.SecurityProfile, app.ProfileBaseline, app.ProfileRestricted)
	oneOf(m, "input.defaults.serviceType", in.Defaults.ServiceType, serviceTypes...)

	if n := in.Limits.MaxReplicas; n != nil && *n < 0 {
		m.add("input.limits.maxReplicas", "must not be negative, got %d", *n)
	}

	if n := in.Limits.MaxBuckets; n != nil && *n < 0 {
		m.add("input.limits.maxBuckets", "must not be negative, got %d", *n)
	}

	if r := in.ProviderConfigs.Buckets; r != nil {
		oneOf(m, "input.providerConfigs.buckets.kind", r.Kind, app.KindProviderConfig, app.KindClusterProviderConfig)

		if r.Name == "" {
			m.add("input.providerConfigs.buckets.name", "must not be empty")
		}
	}
}

func validate(m *mistakes, xr *composite) {
	name := identify(m, xr)
	s := xr.Spec.Spec

	if s.Image == "" || strings.ContainsAny(s.Image, " \t\r\n") {
		m.add("spec.image", "must not be empty or hold white space")
	}

	if s.Replicas != nil {
		between(m, "spec.replicas", *s.Replicas, 0, maxReplicas)
	}

	oneOf(m, "spec.workload", s.Workload, app.WorkloadPods, app.WorkloadDeployment)
	ports(m, s.Ports)

	if len(s.Ports) > 0 && name != "" && !serviceName.MatchString(name) {
		m.add("metadata.name", "an Echo with ports needs a name that a Service may have, which %q is not: lower-case letters, digits and hyphens, a letter first", name)
	}

	exposure(m, s)
	autoscaling(m, s.Autoscaling)
	rollout(m, s.Rollout)
	files(m, s.Files)
	volumes(m, s.Volumes)
	buckets(m, s.Buckets)
	security(m, s.Security)

	if sc := s.Scheduling; sc != nil {
		oneOf(m, "spec.scheduling.spread", sc.Spread, app.SpreadSoft, app.SpreadHard, app.SpreadNone)
	}
}

// identify finds the name that the tenant knows the Echo by.
func identify(m *mistakes, xr *composite) string {
	if c := xr.Spec.ClaimRef; c != nil {
		if c.Namespace == "" || c.Name == "" {
			m.add("spec.claimRef", "needs a namespace and a name")
		}

		return c.Name
	}

	if xr.Metadata.Name == "" {
		m.add("metadata.name", "must not be empty")
	}

	if xr.Metadata.Namespace == "" {
		m.add("metadata.namespace", "must not be empty: there is no claim either that would say where to compose")
	}

	return xr.Metadata.Name
}

var serviceTypes = []app.ServiceType{app.ServiceClusterIP, app.ServiceNodePort, app.ServiceLoadBalancer}

func exposure(m *mistakes, s app.Spec) {
	if s.Service != nil {
		oneOf(m, "spec.service.type", s.Service.Type, serviceTypes...)
	}

	if s.Ingress != nil {
		if s.Ingress.Host == "" {
			m.add("spec.ingress.host", "must not be empty")
		}

		if len(s.Ports) == 0 {
			m.add("spec.ingress", "needs a port in spec.ports to lead to")
		}
	}

	if s.Monitoring != nil {
		for _, p := range s.Ports {
			if portName(p) == s.Monitoring.Port {
				return
			}
		}

		m.add("spec.monitoring.port", "must be the name of one of spec.ports, which %q is not", s.Monitoring.Port)
	}
}

func autoscaling(m *mistakes, a *app.Autoscaling) {
	if a == nil {
		return
	}

	least := int32(1)
	if a.MinReplicas != nil {
		least = *a.MinReplicas
		between(m, "spec.autoscaling.minReplicas", least, 1, maxReplicas)
	}

	between(m, "spec.autoscaling.maxReplicas", a.MaxReplicas, 1, maxReplicas)

	if least > a.MaxReplicas {
		m.add("spec.autoscaling.minReplicas", "must not be greater than maxReplicas, %d, got %d", a.MaxReplicas, least)
	}

	if n := a.TargetCPUUtilization; n != nil {
		between(m, "spec.autoscaling.targetCPUUtilization", *n, 1, maxUtilization)
	}

	if n := a.TargetMemoryUtilization; n != nil {
		between(m, "spec.autoscaling.targetMemoryUtilization", *n, 1, maxUtilization)
	}
}

func rollout(m *mistakes, r *app.Rollout) {
	if r != nil && r.MaxSurge != nil && r.MaxUnavailable != nil && r.MaxSurge.IsZero() && r.MaxUnavailable.IsZero() {
		m.add("spec.rollout", "maxSurge and maxUnavailable must not both be 0: no Pod could ever be replaced")
	}
}

func files(m *mistakes, fs []app.File) {
	seen := map[string]bool{}

	for i, f := range fs {
		path := fmt.Sprintf("spec.files[%d]", i)
		mountPath(m, path+".path", f.Path, seen)
		exactlyOne(m, path, map[string]bool{"content": f.Content != nil, "configMap": f.ConfigMap != nil, "secret": f.Secret != nil})
	}
}

func volumes(m *mistakes, vs []app.Volume) {
	seen := map[string]bool{}

	for i, v := range vs {
		path := fmt.Sprintf("spec.volumes[%d]", i)
		mountPath(m, path+".mountPath", v.MountPath, seen)
		exactlyOne(m, path, map[string]bool{
			"emptyDir":              v.EmptyDir != nil,
			"persistentVolumeClaim": v.PersistentVolumeClaim != "",
			"configMap":             v.ConfigMap != "",
			"secret":                v.Secret != "",
		})

		if v.EmptyDir != nil && v.EmptyDir.SizeLimit != "" {
			if _, ok := app.Amount(v.EmptyDir.SizeLimit).Value(); !ok {
				m.add(path+".emptyDir.sizeLimit", "must be a quantity such as 64Mi, got %q", v.EmptyDir.SizeLimit)
			}
		}
	}
}

func buckets(m *mistakes, bs []app.Bucket) {
	if len(bs) > maxBuckets {
		m.add("spec.buckets", "at most %d, got %d", maxBuckets, len(bs))
	}

	names, prefixes := map[string]bool{}, map[string]bool{}

	for i, b := range bs {
		path := fmt.Sprintf("spec.buckets[%d]", i)

		switch {
		case !bucketName.MatchString(b.Name):
			m.add(path+".name", "must be up to 40 lower-case letters, digits and hyphens, no hyphen first or last, got %q", b.Name)
		case names[b.Name]:
			m.add(path+".name", "duplicate %q", b.Name)
		}

		switch {
		case b.EnvPrefix != "" && !envPrefix.MatchString(b.EnvPrefix):
			m.add(path+".envPrefix", "must be up to 32 upper-case letters, digits and underscores, a letter first, got %q", b.EnvPrefix)
		case prefixes[b.EnvPrefix]:
			m.add(path+".envPrefix", "duplicate %q: of several buckets, each needs one of its own", b.EnvPrefix)
		}

		oneOf(m, path+".access", b.Access, app.BucketReadWrite, app.BucketReadOnly)
		oneOf(m, path+".versioning", b.Versioning, app.VersioningEnabled, app.VersioningSuspended)
		oneOf(m, path+".deletion", b.Deletion, app.DeleteWhenEmpty, app.DeleteForce, app.DeleteOrphan)

		names[b.Name], prefixes[b.EnvPrefix] = true, true
	}
}

func mountPath(m *mistakes, path, p string, seen map[string]bool) {
	switch {
	case !strings.HasPrefix(p, "/") || len(p) < 2 || strings.Contains(p, ":"):
		m.add(path, "must be an absolute path without a colon, got %q", p)
	case seen[p]:
		m.add(path, "duplicate %q", p)
	}

	seen[p] = true
}

func security(m *mistakes, s *app.Security) {
	if s == nil {
		return
	}

	oneOf(m, "spec.security.profile", s.Profile, app.ProfileBaseline, app.ProfileRestricted)

	if s.Profile == app.ProfileRestricted && s.RunAsUser != nil && *s.RunAsUser == 0 {
		m.add("spec.security.runAsUser", "must not be 0: the Restricted profile does not run as root")
	}
}
