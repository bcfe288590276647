package echo

import (
	"fmt"

	"my-operator.dev/echo/fn/composition"
	"my-operator.dev/echo/fn/observed"
	"my-operator.dev/echo/fn/workload"
)

// A claim to the App's own name for an object of some kind. Crossplane applies
// with force: an object of that name that nobody controls would silently become
// the composite's, and would be deleted with it. So the name is looked up before
// an object is composed under it for the first time.
type lookup struct {
	// selector is what to look up; nil once the object is known to be ours.
	selector *composition.Selector
	// free: the name may be used.
	free bool
	// taken says whose the name is, if it is not ours to use.
	taken string
}

// lookUp tells whether the App may have an object of the given kind under its
// own name. The key serves as the name of the requirement too.
func lookUp(req *composition.Request, uid string, a *workload.App, key string, kind composition.Kind) (lookup, error) {
	if _, ours := req.Observed[key]; ours {
		return lookup{free: true}, nil
	}

	l := lookup{selector: &composition.Selector{Kind: kind, Namespace: a.Namespace, Name: a.Name}}

	found, asked := req.Required[key]
	if !asked {
		return l, nil
	}

	l.free = true

	for _, s := range found {
		o, err := observed.ReadObject(s)
		if err != nil {
			return l, fmt.Errorf("cannot read %s %q: %w", kind.Kind, a.Name, err)
		}

		if owner := o.Controller(); owner != uid {
			l.free = false
			l.taken = takenMessage(kind.Kind, a.Name, o)
		}
	}

	return l, nil
}

func takenMessage(kind, name string, o *observed.Object) string {
	for _, r := range o.Metadata.OwnerReferences {
		if r.Controller {
			return fmt.Sprintf("%s %q belongs to %s %q: rename or delete one of the two", kind, name, r.Kind, r.Name)
		}
	}

	return fmt.Sprintf("%s %q exists already and is not this Echo's: rename or delete one of the two", kind, name)
}
