package provider

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"

	providerv1beta1 "my-operator.dev/echo/apis/provider/v1beta1"
)

// othersConfig uses the cluster config of the neighbour's, and one that there is not.
func (a *attack) othersConfig() {
	for name, ref := range map[string]xpv2.ProviderConfigReference{
		"theirs": a.victim.config,
		"none":   {Kind: providerv1beta1.KindClusterProviderConfig, Name: "none"},
	} {
		b := a.bucket("config-"+name, parameters{}, with(ref))
		a.refused(b, fmt.Sprintf("there is no ClusterProviderConfig %q that allows namespace %q", ref.Name, a.tenant.Namespace))
		a.knowsNothing(b)
		a.remove(b)
		a.gone(b)
	}
}

// othersSecret points a config of their own at the neighbour's Secret.
func (a *attack) othersSecret() {
	write := func(name, secret string) string {
		path := filepath.Join(a.TempDir(), name+".yaml")
		doc := fmt.Sprintf("apiVersion: provider.my-operator.dev/v1beta1\nkind: ProviderConfig\nmetadata: {name: %s}\nspec:\n  endpoint: %s\n  credentials: {secretRef: %s}\n",
			name, a.server.Endpoint, secret)
		a.must(nil, os.WriteFile(path, []byte(doc), 0o600))

		return path
	}

	namespaced := write("namespaced", fmt.Sprintf("{name: keys, namespace: %s}", a.victim.tenant.Namespace))
	_, err := a.tenant.Kubectl(a.Context(), "apply", "-f", namespaced)
	if want := `unknown field "spec.credentials.secretRef.namespace"`; err == nil || !strings.Contains(err.Error(), want) {
		a.Errorf("want %s, got %v", want, err)
	}

	// Who does not ask for validation has the field dropped.
	_, err = a.tenant.Kubectl(a.Context(), "apply", "--validate=false", "-f", namespaced)
	a.must(nil, err)
	_, err = a.tenant.Kubectl(a.Context(), "apply", "-f", write("path", fmt.Sprintf("{name: ../%s/keys}", a.victim.tenant.Namespace)))
	a.must(nil, err)

	for name, want := range map[string]string{
		"namespaced": `cannot use ProviderConfig "namespaced": its Secret "keys": does not exist`,
		"path":       fmt.Sprintf("cannot use ProviderConfig %q: its Secret %q: cannot be read", "path", "../"+a.victim.tenant.Namespace+"/keys"),
	} {
		b := a.bucket("secret-"+name, parameters{}, with(xpv2.ProviderConfigReference{Kind: providerv1beta1.KindProviderConfig, Name: name}))
		a.refused(b, want)
		a.knowsNothing(b)
	}
}

// hostileEndpoint has the provider speak to servers of their own.
func (a *attack) hostileEndpoint() {
	nonsense := "<html>" + strings.Repeat("ignore all that was said before ", 1000) + "</html>"
	for name, s := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"redirect": {
			answer: func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, a.server.Endpoint+r.URL.RequestURI(), http.StatusTemporaryRedirect)
			},
			want: "the answer is a redirect (HTTP status 307 Temporary Redirect), which is not followed",
		},
		"moved": {
			answer: func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", a.server.Endpoint+r.URL.RequestURI())
				w.Header().Set("X-Amz-Bucket-Region", "eu-west-1")
				answerError(w, http.StatusMovedPermanently, "PermanentRedirect", "<Endpoint>"+a.server.Endpoint+"</Endpoint>")
			},
			want: "the region is not that of the bucket or of the server",
		},
		"nonsense": {
			answer: func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, nonsense) },
			want:   "the answer is not one of an S3 server (HTTP status 200 OK)",
		},
		"echo": {
			// All that it was sent comes back as what went wrong.
			answer: func(w http.ResponseWriter, r *http.Request) {
				answerError(w, http.StatusBadRequest, "InvalidRequest", r.Header.Get("Authorization")+"\n"+nonsense)
			},
			want: "the server refuses this: InvalidRequest",
		},
		"login": {
			answer: func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("WWW-Authenticate", `Basic realm="keys"`)
				w.WriteHeader(http.StatusUnauthorized)
			},
			want: "the server",
		},
	} {
		a.sub(name, func(t *team) {
			h := newHostile(t.T, s.answer)
			key := newKey()
			ref := t.local("hostile-"+name, h.connection(t.server), "attacker"+name, key)
			// An external name that is given is looked for before anything is made.
			external := t.tenant.Namespace + "-hostile-" + name
			b := t.bucket("hostile-"+name, parameters{}, with(ref), named[*bucket](external))
			t.refused(b, s.want)

			const most = 600
			if m := b.GetCondition(xpv2.TypeSynced).Message; len(m) > most || strings.Contains(m, "\n") || strings.Contains(m, "Signature") {
				t.Errorf("the condition says more than it should: %q", m)
			}
			if t.server.exists(t, external) {
				t.Error("the bucket was made on the real server")
			}

			it := *a
			it.team = t
			it.heardNothing(h)
			if sent, n := h.heard(); n == 0 || !strings.Contains(sent, "attacker"+name) {
				t.Errorf("the attack is none: %d requests:\n%s", n, sent)
			}
		})
	}
}

// heardNothing fails if a server was sent a key, or a request that the provider signed
// with its own.
func (a *attack) heardNothing(h *hostile) {
	a.Helper()

	sent, _ := h.heard()
	for whose, key := range map[string]string{
		"the provider's access key": a.server.AccessKey,
		"the provider's secret key": a.server.SecretKey,
	} {
		if strings.Contains(sent, key) {
			a.Errorf("%s was sent to the attacker's server", whose)
		}
	}

	secrets.Lock()
	defer secrets.Unlock()

	for _, s := range secrets.known {
		if strings.Contains(sent, s) {
			a.Error("a secret key was sent to the attacker's server")
		}
	}
}
