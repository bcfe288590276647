// Package workload renders what runs an Echo: a Pod template, and from it single
// Pods or a Deployment. Rendering is pure, and what it renders is minimal: a
// field that is not set is one that this function has no opinion on, and that
// server-side apply leaves to others.
package workload
