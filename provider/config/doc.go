// Package config finds the connection of a managed resource.
//
// A resource names a ProviderConfig of its own namespace, or a ClusterProviderConfig
// that allows its namespace. The Resolver reads it from the manager's cache, and the
// credentials from a Secret that is read live and remembered for half a minute. It
// writes down once that the resource uses the config; the controllers of this package
// keep a config until its last user is gone.
//
// What is refused is refused in words that a tenant may read: they hold no
// credentials, and say nothing about what belongs to others, not even whether it
// exists.
package config
