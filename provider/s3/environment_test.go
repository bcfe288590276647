package s3

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEnvironment(t *testing.T) {
	calls := atomic.Int32{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		switch {
		case r.URL.Path == "/pod" && r.Header.Get("Authorization") == "a-token":
			_, _ = fmt.Fprint(w, `{"AccessKeyId":"of-the-pod","SecretAccessKey":"s","Token":"t","Expiration":"2999-01-01T00:00:00Z"}`)
		default:
			w.WriteHeader(http.StatusForbidden)
			_, _ = fmt.Fprint(w, `{"code":"AccessDenied","message":"of-what-is-secret"}`)
		}
	}))
	defer server.Close()
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("a-token"), 0o600); err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		reason string
		env    map[string]string
		key    string
		words  string
		calls  int32
	}{
		"Variables": {"They come first.", map[string]string{
			"AWS_ACCESS_KEY_ID": "of-variables", "AWS_SECRET_ACCESS_KEY": "s", "AWS_CONTAINER_CREDENTIALS_FULL_URI": server.URL,
		}, "of-variables", "<nil>", 0},
		"Pod": {"EKS Pod Identity gives a URL and a file.", map[string]string{
			"AWS_CONTAINER_CREDENTIALS_FULL_URI": server.URL + "/pod", "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": token,
		}, "of-the-pod", "<nil>", 1},
		"Refused": {"A refusal is remembered for a while, and not repeated in its own words.", map[string]string{
			"AWS_CONTAINER_CREDENTIALS_FULL_URI": server.URL + "/no", "AWS_CONTAINER_AUTHORIZATION_TOKEN": "x",
		}, "", "the provider's environment gives no credentials: looked at the container's credentials endpoint", 1},
		"WebIdentity": {"The token's file is missing.", map[string]string{
			"AWS_WEB_IDENTITY_TOKEN_FILE": token + "-not-there", "AWS_ROLE_ARN": "arn:aws:iam::1:role/x",
		}, "", "the provider's environment gives no credentials: looked at the web identity of AWS_WEB_IDENTITY_TOKEN_FILE", 0},
		"None": {"Without anything, the machine is asked, unless that is forbidden.", map[string]string{
			"AWS_EC2_METADATA_DISABLED": "true",
		}, "", "the provider's environment gives no credentials: looked at the machine's role", 0},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			for _, pair := range os.Environ() {
				if name, _, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "AWS_") {
					t.Setenv(name, "")
				}
			}
			for name, value := range tc.env {
				t.Setenv(name, value)
			}
			calls.Store(0)
			client := clientFor(t, newClients(t, Options{}), Connection{Endpoint: closedPort(t), Credentials: Credentials{Environment: true}})
			for range 2 {
				keys, err := client.Credentials(t.Context())
				if diff := cmp.Diff([]string{tc.key, tc.words}, []string{keys.AccessKeyID, fmt.Sprint(err)}); diff != "" {
					t.Errorf("%s\n-want, +got:\n%s", tc.reason, diff)
				}
			}
			if tc.key == "" {
				err := getTagging(t.Context(), client)
				if diff := cmp.Diff([]string{string(BadCredentials), tc.words}, []string{string(ClassOf(err)), Explain(err).Error()}); diff != "" {
					t.Errorf("An operation says it too.\n-want, +got:\n%s", diff)
				}
			}
			if diff := cmp.Diff(tc.calls, calls.Load()); diff != "" {
				t.Errorf("%s\n-want, +got calls:\n%s", tc.reason, diff)
			}
		})
	}
}
