package app

import (
	"maps"
	"reflect"
	"strings"
	"testing"

	inputv1beta1 "my-operator.dev/echo/apis/fn/v1beta1"
	echov1 "my-operator.dev/echo/apis/my-operator/v1"
	"my-operator.dev/echo/fn/wire"
)

// TestMirror holds the types of this package against those that the schemas are
// generated from: each field of one has its like in the other.
func TestMirror(t *testing.T) {
	cases := map[string]struct{ api, ours reflect.Type }{
		"Spec":   {reflect.TypeFor[echov1.EchoSpec](), reflect.TypeFor[Spec]()},
		"Status": {reflect.TypeFor[echov1.EchoStatus](), reflect.TypeFor[Status]()},
		"Policy": {reflect.TypeFor[inputv1beta1.Input](), reflect.TypeFor[Policy]()},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) { mirror(t, name, tc.api, tc.ours) })
	}
}

// scalars are types of ours that stand for Kubernetes' by their JSON.
var scalars = map[reflect.Type]string{
	reflect.TypeFor[wire.Struct](): "",
	reflect.TypeFor[Amount]():      "resource.Quantity",
	reflect.TypeFor[Bound]():       "intstr.IntOrString",
}

func mirror(t *testing.T, path string, api, ours reflect.Type) {
	t.Helper()

	for api.Kind() == reflect.Pointer {
		api = api.Elem()
	}

	for ours.Kind() == reflect.Pointer {
		ours = ours.Elem()
	}

	if like, ok := scalars[ours]; ok {
		if like != "" && like != api.String() {
			t.Errorf("%s stands for %s, and the API has %s", path, like, api)
		}

		return
	}

	switch {
	case ours.Kind() == reflect.Int && api.Kind() == reflect.Int32:
	case ours.Kind() != api.Kind():
		t.Errorf("%s is %s, and the API has %s", path, ours, api)
	case ours.Kind() == reflect.Slice, ours.Kind() == reflect.Map:
		mirror(t, path+"[]", api.Elem(), ours.Elem())
	case ours.Kind() == reflect.Struct:
		theirs, mine := fields(api), fields(ours)

		for name, f := range theirs {
			if m, ok := mine[name]; ok {
				mirror(t, path+"."+name, f, m)
			} else {
				t.Errorf("%s.%s of the API is not here", path, name)
			}
		}

		for name := range mine {
			if _, ok := theirs[name]; !ok {
				t.Errorf("%s.%s is not in the API", path, name)
			}
		}
	}
}

// fields are the fields of a struct by their JSON names, those of embedded
// structs included.
func fields(s reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}

	for f := range s.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			maps.Copy(out, fields(f.Type))

			continue
		}

		out[name] = f.Type
	}

	return out
}

func TestNamesOfTheAPI(t *testing.T) {
	for ours, theirs := range map[string]string{
		APIVersion:                  echov1.APIVersion,
		KindEcho:                    echov1.KindEcho,
		KindXEcho:                   echov1.KindXEcho,
		string(WorkloadPods):        string(echov1.WorkloadPods),
		string(WorkloadDeployment):  string(echov1.WorkloadDeployment),
		string(SpreadSoft):          string(echov1.SpreadSoft),
		string(SpreadHard):          string(echov1.SpreadHard),
		string(SpreadNone):          string(echov1.SpreadNone),
		string(ProfileBaseline):     string(echov1.ProfileBaseline),
		string(ProfileRestricted):   string(echov1.ProfileRestricted),
		string(PhasePending):        string(echov1.PhasePending),
		string(PhaseProgressing):    string(echov1.PhaseProgressing),
		string(PhaseRunning):        string(echov1.PhaseRunning),
		string(PhaseDegraded):       string(echov1.PhaseDegraded),
		string(PhaseStopped):        string(echov1.PhaseStopped),
		string(BucketReadWrite):     string(echov1.BucketReadWrite),
		string(BucketReadOnly):      string(echov1.BucketReadOnly),
		string(VersioningEnabled):   string(echov1.VersioningEnabled),
		string(VersioningSuspended): string(echov1.VersioningSuspended),
		string(DeleteWhenEmpty):     string(echov1.DeleteWhenEmpty),
		string(DeleteForce):         string(echov1.DeleteForce),
		string(DeleteOrphan):        string(echov1.DeleteOrphan),
	} {
		if ours != theirs {
			t.Errorf("the API says %q, and this package %q", theirs, ours)
		}
	}
}
