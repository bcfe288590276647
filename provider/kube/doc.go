// Package kube is how the provider talks to the API server: a manager whose cache
// holds only what is needed, a client that sends no status that changes nothing,
// the news of which kinds are served, and the counts of managed resources by state.
package kube
