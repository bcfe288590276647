package bucket

import (
	"fmt"
	"slices"
	"strings"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"my-operator.dev/echo/apis/storage/v1beta1"
)

// Conditions of Buckets beside Ready and Synced.
const (
	// TypeSupported is False when the spec declares what the server does not have or
	// does not keep, and is not there before that happens.
	TypeSupported xpv2.ConditionType = "Supported"

	// TypeDeletionBlocked is True while objects keep the bucket from being deleted,
	// and False while they are being deleted.
	TypeDeletionBlocked xpv2.ConditionType = "DeletionBlocked"
)

// Reasons of these conditions.
const (
	ReasonSupported   xpv2.ConditionReason = "Supported"
	ReasonUnsupported xpv2.ConditionReason = "Unsupported"
	ReasonNotEmpty    xpv2.ConditionReason = "NotEmpty"
	ReasonEmptying    xpv2.ConditionReason = "Emptying"
)

// set sets a condition of the generation that the bucket has.
func set(b *v1beta1.Bucket, c xpv2.Condition) {
	b.SetConditions(c.WithObservedGeneration(b.GetGeneration()))
}

// available tells whether the bucket was in the state that this generation of the
// spec asks for when it was last reconciled.
func available(b *v1beta1.Bucket) bool {
	for _, t := range []xpv2.ConditionType{xpv2.TypeReady, xpv2.TypeSynced} {
		c := b.GetCondition(t)
		if c.Status != corev1.ConditionTrue || c.ObservedGeneration != b.GetGeneration() {
			return false
		}
	}

	return true
}

// missing is the condition Ready of a bucket that is not there and that the
// management policies do not let us make.
func missing() xpv2.Condition {
	return xpv2.Unavailable().WithMessage("the bucket does not exist")
}

// setSupported says which fields have no effect. A resource that never had any has
// no such condition.
func setSupported(b *v1beta1.Bucket, server string, lacks, loses []string) {
	lacks, loses = slices.Sorted(slices.Values(lacks)), slices.Sorted(slices.Values(loses))
	b.Status.AtProvider.Unsupported = slices.Sorted(slices.Values(slices.Concat(lacks, loses)))

	message := unsupportedWords(server, lacks, loses)
	if message == "" && b.GetCondition(TypeSupported).Status == corev1.ConditionUnknown {
		return
	}

	c := condition(TypeSupported, corev1.ConditionTrue, ReasonSupported, "")
	if message != "" {
		c = condition(TypeSupported, corev1.ConditionFalse, ReasonUnsupported, message)
	}
	set(b, c)
}

// unsupportedWords say which fields a server does not have, and which it does not
// keep. They are empty if there are none.
func unsupportedWords(server string, lacks, loses []string) string {
	if server == "" {
		server = "the server"
	}

	var words []string
	if len(lacks) > 0 {
		words = append(words, fmt.Sprintf("%s does not have %s: no effect", server, list(lacks)))
	}
	if len(loses) > 0 {
		words = append(words, fmt.Sprintf("%s does not keep %s as declared, or somebody else changes it", server, list(loses)))
	}

	return strings.Join(words, "; ")
}

// list joins words as in "a, b and c".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}

	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

func blockedBy(words string) xpv2.Condition {
	return condition(TypeDeletionBlocked, corev1.ConditionTrue, ReasonNotEmpty, words)
}

func emptying() xpv2.Condition {
	return condition(TypeDeletionBlocked, corev1.ConditionFalse, ReasonEmptying, "the objects are being deleted, as forceDestroy asks")
}

func condition(t xpv2.ConditionType, status corev1.ConditionStatus, reason xpv2.ConditionReason, message string) xpv2.Condition {
	return xpv2.Condition{Type: t, Status: status, Reason: reason, Message: message, LastTransitionTime: metav1.Now()}
}
