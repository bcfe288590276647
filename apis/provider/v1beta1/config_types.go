package v1beta1

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A ProviderConfig says where a server is that the managed resources of its own
// namespace may use, and with which credentials. They come from a Secret of that
// namespace and from nowhere else.
//
// +echo:managed
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=providerconfigs,singular=providerconfig,scope=Namespaced,categories={crossplane,provider}
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Endpoint",type=string,JSONPath=`.spec.endpoint`
// +kubebuilder:printcolumn:name="Users",type=integer,JSONPath=`.status.users`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ProviderConfig struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ProviderConfigSpec        `json:"spec"`
	Status xpv2.ProviderConfigStatus `json:"status,omitempty"`
}

// A ProviderConfigList is a list of ProviderConfigs.
//
// +kubebuilder:object:root=true
type ProviderConfigList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []ProviderConfig `json:"items"`
}

// ProviderConfigSpec is where the server is, and with which credentials.
type ProviderConfigSpec struct {
	Connection `json:",inline"`

	// Credentials for the server.
	Credentials LocalCredentials `json:"credentials"`
}

// LocalCredentials are credentials of the config's own namespace.
type LocalCredentials struct {
	// SecretRef names a Secret of this namespace with AWS_ACCESS_KEY_ID and
	// AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN if there is one.
	SecretRef LocalSecretReference `json:"secretRef"`
}

// A LocalSecretReference names a Secret of the same namespace.
type LocalSecretReference struct {
	// Name of the Secret.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
}

// A ClusterProviderConfig says where a server is that the managed resources of the
// namespaces it allows may use, and with which credentials.
//
// +echo:managed
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=clusterproviderconfigs,singular=clusterproviderconfig,scope=Cluster,categories={crossplane,provider}
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Endpoint",type=string,JSONPath=`.spec.endpoint`
// +kubebuilder:printcolumn:name="Users",type=integer,JSONPath=`.status.users`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ClusterProviderConfig struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ClusterProviderConfigSpec `json:"spec"`
	Status xpv2.ProviderConfigStatus `json:"status,omitempty"`
}

// A ClusterProviderConfigList is a list of ClusterProviderConfigs.
//
// +kubebuilder:object:root=true
type ClusterProviderConfigList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []ClusterProviderConfig `json:"items"`
}

// ClusterProviderConfigSpec is where the server is, with which credentials, and
// who may use it.
type ClusterProviderConfigSpec struct {
	Connection `json:",inline"`

	// Credentials for the server.
	Credentials ClusterCredentials `json:"credentials"`

	// AllowedNamespaces may use this config. Without it no namespace may.
	// +optional
	AllowedNamespaces AllowedNamespaces `json:"allowedNamespaces,omitzero"`
}

// ClusterCredentials are credentials that the platform team keeps.
//
// +kubebuilder:validation:XValidation:rule="(self.source == 'Secret') == has(self.secretRef)",message="secretRef goes with the source Secret, and with no other",fieldPath=".secretRef"
type ClusterCredentials struct {
	// Source: Secret reads the Secret that secretRef names; Environment takes
	// what the provider's own environment gives, as AWS's SDKs do.
	// +kubebuilder:validation:Enum=Secret;Environment
	Source CredentialsSource `json:"source"`

	// SecretRef names a Secret with AWS_ACCESS_KEY_ID and
	// AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN if there is one.
	// +optional
	SecretRef *SecretReference `json:"secretRef,omitempty"`
}

// CredentialsSource is where credentials come from.
type CredentialsSource string

// The sources of credentials.
const (
	CredentialsSecret      CredentialsSource = "Secret"
	CredentialsEnvironment CredentialsSource = "Environment"
)

// A SecretReference names a Secret.
type SecretReference struct {
	// Namespace of the Secret.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Namespace string `json:"namespace"`

	// Name of the Secret.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
}

// AllowedNamespaces are those that either list names.
type AllowedNamespaces struct {
	// Names of namespaces; "*" is all.
	// +kubebuilder:validation:MaxItems=256
	// +listType=set
	// +optional
	Names []string `json:"names,omitempty"`

	// Selector of namespaces by their labels. An empty one selects all.
	// +optional
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
}

// Connection is where a server is and what it is.
//
// +kubebuilder:validation:XValidation:rule="!has(self.caBundle) || has(self.endpoint) && self.endpoint.startsWith('https://')",message="a CA bundle needs an endpoint that begins with https://",fieldPath=".caBundle"
// +kubebuilder:validation:XValidation:rule="has(self.endpoint) || !has(self.identityAPI) || self.identityAPI in ['AWS', 'None']",message="this identity API needs an endpoint",fieldPath=".endpoint"
type Connection struct {
	// Endpoint of the S3 API: "https://s3.example.com". AWS's own for the
	// region without it.
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^https?://[A-Za-z0-9.\-\[\]:]+/?$`
	// +optional
	Endpoint string `json:"endpoint,omitempty"`

	// Region of buckets that name none.
	// +kubebuilder:default="us-east-1"
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +optional
	Region string `json:"region,omitempty"`

	// PathStyle puts a bucket's name into the path of its URL rather than into
	// the host. True by default where there is an endpoint.
	// +optional
	PathStyle *bool `json:"pathStyle,omitempty"`

	// CABundle holds certificates, in PEM, of authorities to trust for the
	// endpoint beside the usual ones.
	// +kubebuilder:validation:MaxLength=65536
	// +optional
	CABundle string `json:"caBundle,omitempty"`

	// IdentityAPI is how the server makes keys for BucketAccess. With None
	// there can be none.
	// +kubebuilder:default=None
	// +optional
	IdentityAPI IdentityAPI `json:"identityAPI,omitempty"`

	// IdentityEndpoint is where the identity API is, if it is not the endpoint.
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:Pattern=`^https?://[A-Za-z0-9.\-\[\]:]+/?$`
	// +optional
	IdentityEndpoint string `json:"identityEndpoint,omitempty"`
}

// IdentityAPI is how a server makes keys.
// +kubebuilder:validation:Enum=AWS;MinIO;Versitygw;None
type IdentityAPI string

// The identity APIs there are.
const (
	IdentityAWS       IdentityAPI = "AWS"
	IdentityMinIO     IdentityAPI = "MinIO"
	IdentityVersitygw IdentityAPI = "Versitygw"
	IdentityNone      IdentityAPI = "None"
)
