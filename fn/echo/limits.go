package echo

import (
	"fmt"
	"strings"

	"my-operator.dev/echo/fn/app"
)

// enforce finds what is over the platform's limits, and says where they are set.
func enforce(m *mistakes, xr *composite, in *app.Policy) {
	s, l := xr.Spec.Spec, in.Limits

	setBy := func(limit string) string {
		return fmt.Sprintf("set by the platform team as limits.%s in Composition %q", limit, xr.composition())
	}

	if most := l.MaxReplicas; most != nil {
		if n := s.Replicas; n != nil && *n > *most {
			m.add("spec.replicas", "%d is over the limit of %d, %s", *n, *most, setBy("maxReplicas"))
		}

		if a := s.Autoscaling; a != nil && a.MaxReplicas > *most {
			m.add("spec.autoscaling.maxReplicas", "%d is over the limit of %d, %s", a.MaxReplicas, *most, setBy("maxReplicas"))
		}
	}

	if most := l.MaxBuckets; most != nil && len(s.Buckets) > int(*most) {
		m.add("spec.buckets", "%d are over the limit of %d, %s", len(s.Buckets), *most, setBy("maxBuckets"))
	}

	if len(l.AllowedImagePrefixes) > 0 && !allowed(s.Image, l.AllowedImagePrefixes) {
		m.add("spec.image", "%q does not begin with any of %s, %s", s.Image, strings.Join(l.AllowedImagePrefixes, ", "), setBy("allowedImagePrefixes"))
	}
}

// allowed is true of an image that begins with one of the prefixes. A prefix has
// to end where a part of the image's name does, or "example.com/a" would let in
// "example.com/attacker".
func allowed(image string, prefixes []string) bool {
	for _, p := range prefixes {
		rest, ok := strings.CutPrefix(image, p)
		if ok && (rest == "" || strings.HasSuffix(p, "/") || strings.ContainsAny(rest[:1], "/:@")) {
			return true
		}
	}

	return false
}
