package observed

import (
	"time"

	"my-operator.dev/echo/fn/wire"
)

// Metadata is what is read of an object's metadata.
type Metadata struct {
	Name              string     `json:"name"`
	Namespace         string     `json:"namespace"`
	UID               string     `json:"uid"`
	Generation        int64      `json:"generation"`
	CreationTimestamp time.Time  `json:"creationTimestamp"`
	DeletionTimestamp *time.Time `json:"deletionTimestamp"`
	Annotations       struct {
		Attempt      string `json:"my-operator.dev/attempt"`
		ExternalName string `json:"crossplane.io/external-name"`
	} `json:"annotations"`
}

// An Object is any resource: what it is, and who controls it.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name              string     `json:"name"`
		DeletionTimestamp *time.Time `json:"deletionTimestamp"`
		OwnerReferences   []struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
			Name       string `json:"name"`
			UID        string `json:"uid"`
			Controller bool   `json:"controller"`
		} `json:"ownerReferences"`
	} `json:"metadata"`
}

// ReadObject reads any resource.
func ReadObject(s wire.Struct) (*Object, error) {
	o := &Object{}
	return o, wire.Unmarshal(s, o)
}

// ReadSpec reads a resource's spec as it stands.
func ReadSpec(s wire.Struct) (wire.Struct, error) {
	var o struct {
		Spec wire.Struct `json:"spec"`
	}

	err := wire.Unmarshal(s, &o)

	return o.Spec, err
}

// ReadKey reads the key of a composed resource, which Crossplane writes into its
// annotations; empty of any other resource.
func ReadKey(s wire.Struct) (string, error) {
	var o struct {
		Metadata struct {
			Annotations struct {
				Key string `json:"crossplane.io/composition-resource-name"`
			} `json:"annotations"`
		} `json:"metadata"`
	}

	err := wire.Unmarshal(s, &o)

	return o.Metadata.Annotations.Key, err
}

// Controller is the UID of the object that controls this one, empty if none
// does.
func (o *Object) Controller() string {
	for _, r := range o.Metadata.OwnerReferences {
		if r.Controller {
			return r.UID
		}
	}

	return ""
}

// A Condition is one of an object's status conditions.
type Condition struct {
	Type               string    `json:"type"`
	Status             string    `json:"status"`
	Reason             string    `json:"reason"`
	Message            string    `json:"message"`
	LastTransitionTime time.Time `json:"lastTransitionTime"`
}

// condition is the condition of the given type, the zero Condition if there is
// none.
func condition(of []Condition, t string) Condition {
	for _, c := range of {
		if c.Type == t {
			return c
		}
	}

	return Condition{}
}
