package protocol

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/structpb"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"

	"my-operator.dev/echo/fn/composition"
)

// FuzzDecode compares Decode with the generated code on any bytes:
//
//   - Nothing makes it panic, and there is always an Envelope to answer with.
//   - What the generated code accepts, Decode accepts, and it means the same. The
//     one exception is an earlier function's status that is no object or that
//     nests beyond what package wire allows: it could not be added to.
//   - What the generated code accepts is passed on whole.
//   - What the generated code refuses, Decode may accept: it does not look into
//     what it does not read (credentials, connection details, the objects
//     themselves).
func FuzzDecode(f *testing.F) {
	whole := encoded(f, request(f))
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(append(slices.Clip(whole), whole...))
	f.Add(encoded(f, &fnv1.RunFunctionRequest{Desired: &fnv1.State{Composite: composed(f, `{status: good}`)}}))

	for _, m := range []proto.Message{
		&fnv1.RunFunctionRequest{Observed: request(f).GetObserved()},
		&fnv1.RunFunctionRequest{Context: &structpb.Struct{Fields: map[string]*structpb.Value{"nan": structpb.NewNumberValue(math.NaN())}}},
		&fnv1.RunFunctionRequest{Desired: request(f).GetDesired(), Context: request(f).GetContext()},
		&fnv1.RunFunctionRequest{RequiredResources: request(f).GetRequiredResources(), RequiredSchemas: request(f).GetRequiredSchemas()},
	} {
		f.Add(encoded(f, m))
	}

	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := Decode(b)
		EncodeFatal(e, errors.New("x"))

		req := &fnv1.RunFunctionRequest{}
		if proto.Unmarshal(b, req) != nil {
			return
		}

		if err != nil {
			status := req.GetDesired().GetComposite().GetResource().GetFields()["status"]
			if _, isObject := status.GetKind().(*structpb.Value_StructValue); isObject && !strings.Contains(err.Error(), "nested more than") ||
				!strings.Contains(err.Error(), "desired: composite: ") {
				t.Fatalf("the generated code accepts what Decode refuses: %v", err)
			}

			return
		}

		if diff := cmp.Diff(theirs(req), ours(t, e), protocmp.Transform(), cmpopts.EquateNaNs()); diff != "" {
			t.Fatalf("-generated code, +Decode:\n%s", diff)
		}

		out, err := Encode(e, &composition.Response{})
		if err != nil {
			t.Fatal(err)
		}

		want := &fnv1.RunFunctionResponse{Meta: now(), Desired: &fnv1.State{}, Context: req.GetContext()}
		want.Meta.Tag = req.GetMeta().GetTag()

		if req.GetDesired() != nil {
			want.Desired = req.GetDesired()
		}

		if diff := cmp.Diff(want, response(t, out), protocmp.Transform(), cmpopts.EquateNaNs()); diff != "" {
			t.Fatalf("what is passed on: -want, +got:\n%s", diff)
		}
	})
}
