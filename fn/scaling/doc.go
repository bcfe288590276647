// Package scaling renders what decides how many Pods an Echo has, and how many
// of them may be disturbed: the bounds of its rollout, its autoscaler and its
// disruption budget.
package scaling
