package observed

import "my-operator.dev/echo/fn/wire"

// A Quota is what is read of a ResourceQuota.
type Quota struct {
	Metadata Metadata    `json:"metadata"`
	Spec     QuotaSpec   `json:"spec"`
	Status   QuotaStatus `json:"status"`
}

// QuotaSpec is what is read of a ResourceQuota's spec.
type QuotaSpec struct {
	Scopes        []string  `json:"scopes"`
	ScopeSelector *struct{} `json:"scopeSelector"`
}

// QuotaStatus is what is read of a ResourceQuota's status: amounts of resources
// by name.
type QuotaStatus struct {
	Hard map[string]string `json:"hard"`
	Used map[string]string `json:"used"`
}

// ReadQuota reads a ResourceQuota.
func ReadQuota(s wire.Struct) (*Quota, error) {
	q := &Quota{}
	return q, wire.Unmarshal(s, q)
}

// Scoped is true of a quota that does not hold for all Pods.
func (q *Quota) Scoped() bool { return len(q.Spec.Scopes) > 0 || q.Spec.ScopeSelector != nil }
