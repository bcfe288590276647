// Package e2e tests the product as its users meet it: the packages that
// `make packages` built, installed from a registry with the Crossplane CLI on a
// real control plane, and Echoes applied by tenants with kubectl. Every case runs
// under both configurations: namespaced composites, and claims.
package e2e
