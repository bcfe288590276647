package v1beta1

import xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

// What follows makes the types provider configs, and a usage of them, to
// crossplane-runtime.

// GetCondition returns one of the config's conditions.
func (c *ProviderConfig) GetCondition(ct xpv2.ConditionType) xpv2.Condition {
	return c.Status.GetCondition(ct)
}

// SetConditions sets conditions of the config.
func (c *ProviderConfig) SetConditions(cs ...xpv2.Condition) {
	c.Status.SetConditions(cs...)
}

// GetUsers returns how many managed resources use the config.
func (c *ProviderConfig) GetUsers() int64 {
	return c.Status.Users
}

// SetUsers sets how many managed resources use the config.
func (c *ProviderConfig) SetUsers(n int64) {
	c.Status.Users = n
}

// GetCondition returns one of the config's conditions.
func (c *ClusterProviderConfig) GetCondition(ct xpv2.ConditionType) xpv2.Condition {
	return c.Status.GetCondition(ct)
}

// SetConditions sets conditions of the config.
func (c *ClusterProviderConfig) SetConditions(cs ...xpv2.Condition) {
	c.Status.SetConditions(cs...)
}

// GetUsers returns how many managed resources use the config.
func (c *ClusterProviderConfig) GetUsers() int64 {
	return c.Status.Users
}

// SetUsers sets how many managed resources use the config.
func (c *ClusterProviderConfig) SetUsers(n int64) {
	c.Status.Users = n
}

// GetProviderConfigReference names the config that is used.
func (u *ProviderConfigUsage) GetProviderConfigReference() xpv2.ProviderConfigReference {
	return u.ProviderConfigReference
}

// SetProviderConfigReference sets the config that is used.
func (u *ProviderConfigUsage) SetProviderConfigReference(r xpv2.ProviderConfigReference) {
	u.ProviderConfigReference = r
}

// GetResourceReference names the managed resource that uses the config.
func (u *ProviderConfigUsage) GetResourceReference() xpv2.TypedReference {
	return u.ResourceReference
}

// SetResourceReference sets the managed resource that uses the config.
func (u *ProviderConfigUsage) SetResourceReference(r xpv2.TypedReference) {
	u.ResourceReference = r
}
