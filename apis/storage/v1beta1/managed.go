package v1beta1

import xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

// What follows makes the types managed resources to crossplane-runtime.

// GetCondition returns one of the resource's conditions.
func (b *Bucket) GetCondition(ct xpv2.ConditionType) xpv2.Condition {
	return b.Status.GetCondition(ct)
}

// SetConditions sets conditions of the resource.
func (b *Bucket) SetConditions(c ...xpv2.Condition) {
	b.Status.SetConditions(c...)
}

// GetManagementPolicies says what may be done to the external resource.
func (b *Bucket) GetManagementPolicies() xpv2.ManagementPolicies {
	return b.Spec.ManagementPolicies
}

// SetManagementPolicies sets what may be done to the external resource.
func (b *Bucket) SetManagementPolicies(p xpv2.ManagementPolicies) {
	b.Spec.ManagementPolicies = p
}

// GetProviderConfigReference names the config to use.
func (b *Bucket) GetProviderConfigReference() *xpv2.ProviderConfigReference {
	return b.Spec.ProviderConfigReference
}

// SetProviderConfigReference sets the config to use.
func (b *Bucket) SetProviderConfigReference(p *xpv2.ProviderConfigReference) {
	b.Spec.ProviderConfigReference = p
}

// GetWriteConnectionSecretToReference names the Secret for connection details.
func (b *Bucket) GetWriteConnectionSecretToReference() *xpv2.LocalSecretReference {
	return b.Spec.WriteConnectionSecretToReference
}

// SetWriteConnectionSecretToReference sets the Secret for connection details.
func (b *Bucket) SetWriteConnectionSecretToReference(s *xpv2.LocalSecretReference) {
	b.Spec.WriteConnectionSecretToReference = s
}

// GetObservedGeneration returns the generation that the status is of.
func (b *Bucket) GetObservedGeneration() int64 {
	return b.Status.GetObservedGeneration()
}

// SetObservedGeneration sets the generation that the status is of.
func (b *Bucket) SetObservedGeneration(generation int64) {
	b.Status.SetObservedGeneration(generation)
}

// GetLastHandledReconcileAt returns the last request for a reconcile that was
// met: a value of the annotation crossplane.io/reconcile-requested-at.
func (b *Bucket) GetLastHandledReconcileAt() string {
	return b.Status.GetLastHandledReconcileAt()
}

// SetLastHandledReconcileAt sets the last request for a reconcile that was met.
func (b *Bucket) SetLastHandledReconcileAt(token string) {
	b.Status.SetLastHandledReconcileAt(token)
}

// GetCondition returns one of the resource's conditions.
func (a *BucketAccess) GetCondition(ct xpv2.ConditionType) xpv2.Condition {
	return a.Status.GetCondition(ct)
}

// SetConditions sets conditions of the resource.
func (a *BucketAccess) SetConditions(c ...xpv2.Condition) {
	a.Status.SetConditions(c...)
}

// GetManagementPolicies says what may be done to the external resource.
func (a *BucketAccess) GetManagementPolicies() xpv2.ManagementPolicies {
	return a.Spec.ManagementPolicies
}

// SetManagementPolicies sets what may be done to the external resource.
func (a *BucketAccess) SetManagementPolicies(p xpv2.ManagementPolicies) {
	a.Spec.ManagementPolicies = p
}

// GetProviderConfigReference names the config to use.
func (a *BucketAccess) GetProviderConfigReference() *xpv2.ProviderConfigReference {
	return a.Spec.ProviderConfigReference
}

// SetProviderConfigReference sets the config to use.
func (a *BucketAccess) SetProviderConfigReference(p *xpv2.ProviderConfigReference) {
	a.Spec.ProviderConfigReference = p
}

// GetWriteConnectionSecretToReference names the Secret for connection details.
func (a *BucketAccess) GetWriteConnectionSecretToReference() *xpv2.LocalSecretReference {
	return a.Spec.WriteConnectionSecretToReference
}

// SetWriteConnectionSecretToReference sets the Secret for connection details.
func (a *BucketAccess) SetWriteConnectionSecretToReference(s *xpv2.LocalSecretReference) {
	a.Spec.WriteConnectionSecretToReference = s
}

// GetObservedGeneration returns the generation that the status is of.
func (a *BucketAccess) GetObservedGeneration() int64 {
	return a.Status.GetObservedGeneration()
}

// SetObservedGeneration sets the generation that the status is of.
func (a *BucketAccess) SetObservedGeneration(generation int64) {
	a.Status.SetObservedGeneration(generation)
}

// GetLastHandledReconcileAt returns the last request for a reconcile that was
// met: a value of the annotation crossplane.io/reconcile-requested-at.
func (a *BucketAccess) GetLastHandledReconcileAt() string {
	return a.Status.GetLastHandledReconcileAt()
}

// SetLastHandledReconcileAt sets the last request for a reconcile that was met.
func (a *BucketAccess) SetLastHandledReconcileAt(token string) {
	a.Status.SetLastHandledReconcileAt(token)
}
