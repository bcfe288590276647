package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/structpb"
)

// tree is an object, or a part of one, as JSON has it: numbers are float64.
type tree = map[string]any

// stored is an object in the model's API server, with what the server and the
// model keep about it that is not part of it.
type stored struct {
	tree tree
	// owned are the fields that core applied last.
	owned map[string]bool
	// applied is what core applied last, for as long as nothing changed since.
	applied *structpb.Struct
	encoded *structpb.Struct
	// foreign is what an object that core must leave alone looked like at first.
	foreign tree
	life    *life
	// gone is when a terminating object vanishes.
	gone time.Time
	// progressed is when a Deployment last got further.
	progressed time.Time
}

// A store is the model's API server.
type store struct {
	objects map[string]*stored
	serial  int
	// changed is told of every change.
	changed func(id string, o tree)
}

func objectID(kind, namespace, name string) string { return kind + "/" + namespace + "/" + name }

func idOf(o tree) string {
	return objectID(text(o, "kind"), text(o, "metadata", "namespace"), text(o, "metadata", "name"))
}

// touch is to be called after each change of an object.
func (s *store) touch(o *stored) {
	o.encoded, o.applied = nil, nil
	s.changed(idOf(o.tree), o.tree)
}

func (s *store) create(o tree, now time.Time) *stored {
	s.serial++
	meta := child(o, "metadata")
	meta["uid"] = fmt.Sprintf("uid-%d", s.serial)
	meta["creationTimestamp"] = stamp(now)
	meta["generation"] = 1.0

	st := &stored{tree: o, owned: map[string]bool{}, progressed: now}
	s.objects[idOf(o)] = st
	s.touch(st)

	return st
}

func (s *store) remove(o *stored) {
	delete(s.objects, idOf(o.tree))
	s.changed(idOf(o.tree), o.tree)
}

// of lists the objects of a kind, in the order of their names.
func (s *store) of(kind string) []*stored {
	var out []*stored

	for _, id := range slices.Sorted(maps.Keys(s.objects)) {
		if o := s.objects[id]; text(o.tree, "kind") == kind {
			out = append(out, o)
		}
	}

	return out
}

// encode is the object as core sends it.
func (o *stored) encode() *structpb.Struct {
	if o.encoded == nil {
		o.encoded = sure(structpb.NewStruct(managed(o)))
	}

	return o.encoded
}

func (o *stored) terminating() bool { return text(o.tree, "metadata", "deletionTimestamp") != "" }

func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }

// at is the value at a path, nil if there is none.
func at(o any, path ...string) any {
	for _, p := range path {
		m, ok := o.(tree)
		if !ok {
			return nil
		}

		o = m[p]
	}

	return o
}

func text(o any, path ...string) string {
	s, _ := at(o, path...).(string)
	return s
}

func number(o any, path ...string) int {
	n, _ := at(o, path...).(float64)
	return int(n)
}

func list(o any, path ...string) []any {
	l, _ := at(o, path...).([]any)
	return l
}

// child is the object at a path, made if it is not there.
func child(o tree, path ...string) tree {
	for _, p := range path {
		c, ok := o[p].(tree)
		if !ok {
			c = tree{}
			o[p] = c
		}

		o = c
	}

	return o
}

func clone[T any](v T) T {
	var walk func(v any) any

	walk = func(v any) any {
		switch v := v.(type) {
		case tree:
			c := make(tree, len(v))
			for k, e := range v {
				c[k] = walk(e)
			}

			return c
		case []any:
			c := make([]any, len(v))
			for i, e := range v {
				c[i] = walk(e)
			}

			return c
		}

		return v
	}

	c, _ := walk(v).(T)

	return c
}

func equal(a, b any) bool { return reflect.DeepEqual(a, b) }

// controller is the UID of what controls an object.
func controller(o tree) string {
	for _, r := range list(o, "metadata", "ownerReferences") {
		if at(r, "controller") == true {
			return text(r, "uid")
		}
	}

	return ""
}

// condition is the status of a condition of an object, "" if it has none.
func condition(o any, kind string) (status, reason string) {
	for _, c := range list(o, "status", "conditions") {
		if text(c, "type") == kind {
			return text(c, "status"), text(c, "reason")
		}
	}

	return "", ""
}

// setCondition sets a condition, and tells whether that changes anything.
func setCondition(status tree, now time.Time, kind, value, reason, message string) bool {
	c := tree{"type": kind, "status": value, "reason": reason, "message": message, "lastTransitionTime": stamp(now)}
	all := list(status, "conditions")

	for i, old := range all {
		if text(old, "type") != kind {
			continue
		}

		if text(old, "status") == value && text(old, "reason") == reason && text(old, "message") == message {
			return false
		}

		all[i] = c

		return true
	}

	status["conditions"] = append(all, c)

	return true
}

// sure is the value of something that cannot fail here.
func sure[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}

	return v
}
