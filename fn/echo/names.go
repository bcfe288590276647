package echo

import (
	"fmt"
	"strings"

	"my-operator.dev/echo/fn/composition"
	"my-operator.dev/echo/fn/observed"
)

// named composes an object under a name that somebody else might have: the App's
// own, as a rule. Crossplane applies with force, so an object of that name that
// nobody controls would silently become the composite's, and would be deleted
// with it. So the name is looked up before it is used for the first time. The
// key serves as the name of the requirement too.
func (c *composer) named(key string, kind composition.Kind, name string, object any, ready bool) error {
	if _, ours := c.req.Observed[key]; !ours {
		free, err := c.free(key, kind, name)
		if err != nil || !free {
			c.rsp.NotReady = true
			return err
		}
	}

	c.rsp.Resources[key] = composition.Resource{Object: object, Ready: ready}

	return nil
}

// free tells whether an object may be composed under a name. It is not free
// before it was looked up, nor while an object of before is on its way out, which
// Crossplane has forgotten by then: what is applied to that would go with it.
func (c *composer) free(key string, kind composition.Kind, name string) (bool, error) {
	c.rsp.Requirements[key] = composition.Selector{Kind: kind, Namespace: c.app.Namespace, Name: name}

	found, asked := c.req.Required[key]

	for _, s := range found {
		o, err := observed.ReadObject(s)
		if err != nil {
			return false, fmt.Errorf("cannot read %s %q: %w", kind.Kind, name, err)
		}

		if o.Controller() != c.xr.Metadata.UID {
			c.taken = append(c.taken, taken(kind.Kind, name, o))
			return false, nil
		}

		if o.Metadata.DeletionTimestamp != nil {
			return false, nil
		}
	}

	return asked, nil
}

func taken(kind, name string, o *observed.Object) string {
	for _, r := range o.Metadata.OwnerReferences {
		if r.Controller {
			return fmt.Sprintf("%s %q belongs to %s %q: rename or delete one of the two", kind, name, r.Kind, r.Name)
		}
	}

	return fmt.Sprintf("%s %q exists already and is not this Echo's: rename or delete one of the two", kind, name)
}

// accepted is the condition of an Echo that can be composed, but for names that
// are taken.
func (c *composer) accepted() composition.Condition {
	if len(c.taken) > 0 {
		return composition.Condition{Type: ConditionAccepted, Reason: ReasonNameTaken, Message: strings.Join(c.taken, "; ")}
	}

	if len(c.refused) > 0 {
		return composition.Condition{Type: ConditionAccepted, Reason: ReasonRefused, Message: strings.Join(c.refused, "; ")}
	}

	return composition.Condition{Type: ConditionAccepted, Status: true, Reason: ReasonAccepted}
}
