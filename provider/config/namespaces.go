package config

import (
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"my-operator.dev/echo/apis/provider/v1beta1"
)

// allNamespaces among the names allows every namespace.
const allNamespaces = "*"

// allows tells whether a namespace is among the allowed ones: by its name, or by its
// labels, which are asked for only where they decide.
func allows(a v1beta1.AllowedNamespaces, namespace string, read func() (labels.Set, error)) (bool, error) {
	if slices.Contains(a.Names, allNamespaces) || slices.Contains(a.Names, namespace) {
		return true, nil
	}

	if a.Selector == nil {
		return false, nil
	}

	selector, err := metav1.LabelSelectorAsSelector(a.Selector)
	if err != nil {
		return false, errors.Wrap(err, "spec.allowedNamespaces.selector")
	}

	set, err := read()
	if err != nil {
		return false, err
	}

	return selector.Matches(set), nil
}
