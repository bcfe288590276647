// Package podset plans a set of Pods that are managed one by one: which to keep,
// which to let go, and which to make, so that the set gets from what is observed
// to what is asked for without ever having too few available or too many at all.
//
// It is pure: a plan is a function of its arguments. Each Pod holds a slot, a
// number that names it for as long as it lives. A new Pod takes the lowest slot
// that no observed Pod holds, so that slots, and with them names, stay small and
// stable.
//
// The bounds are those of a Deployment's rolling update
// (https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment):
// at least replicas - maxUnavailable Pods available, at most replicas + maxSurge
// Pods in all. As there, a Pod that is terminating counts as gone: it is neither
// available nor in the way, and is replaced at once.
package podset
