package provider

import (
	"bytes"
	"encoding/xml"
	"net/http"
	"net/url"

	"my-operator.dev/echo/provider/minio"
	provs3 "my-operator.dev/echo/provider/s3"
	"my-operator.dev/echo/test/controlplane"
)

// signer signs requests to the administration API of the team's server.
func (t *team) signer() *provs3.Client {
	t.Helper()

	clients, err := provs3.NewClients(provs3.Options{})
	t.must(clients, err)
	c, err := clients.For(t.Context(), provs3.Connection{
		Endpoint: t.server.Endpoint, Region: t.server.Region, PathStyle: true, CABundle: t.server.CABundle,
		Credentials: provs3.Credentials{AccessKeyID: t.server.AccessKey, SecretAccessKey: t.server.SecretKey},
	})
	t.must(c, err)

	return c
}

// minio is the administration API of MinIO.
func (t *team) minio() minio.Client {
	t.Helper()

	return minio.New(t.signer())
}

// patch calls the administration API of versitygw.
func (t *team) patch(name string, query url.Values, props any) {
	t.Helper()

	body, err := xml.Marshal(props)
	t.must(body, err)

	c := t.signer()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, t.server.Endpoint+"/"+name+"?"+query.Encode(), bytes.NewReader(body))
	t.must(r, err)
	t.must(nil, c.Sign(t.Context(), r, body))

	rsp, err := c.HTTP().Do(r)
	t.must(rsp, err)
	defer rsp.Body.Close()
	if rsp.StatusCode >= http.StatusMultipleChoices {
		t.Fatalf("%s: %s", name, rsp.Status)
	}
}

// makeAdmin makes a further administrator of the server.
func (t *team) makeAdmin(accessKey, secretKey string) {
	t.Helper()

	if t.server.Identity == controlplane.IdentityMinIO {
		m := t.minio()
		t.must(nil, m.AddUser(t.Context(), accessKey, secretKey))
		t.must(nil, m.SetPolicy(t.Context(), accessKey, "consoleAdmin"))

		return
	}

	t.patch("create-user", nil, struct {
		XMLName              xml.Name `xml:"Account"`
		Access, Secret, Role string
	}{Access: accessKey, Secret: secretKey, Role: "admin"})
}

// changeSecret gives a user of the server another secret.
func (t *team) changeSecret(accessKey, secretKey string) {
	t.Helper()

	if t.server.Identity == controlplane.IdentityMinIO {
		t.must(nil, t.minio().AddUser(t.Context(), accessKey, secretKey))
		return
	}

	t.patch("update-user", url.Values{"access": {accessKey}}, struct {
		XMLName xml.Name `xml:"MutableProps"`
		Secret  string
	}{Secret: secretKey})
}

// removeUser removes a user from the server.
func (t *team) removeUser(accessKey string) {
	t.Helper()

	if t.server.Identity == controlplane.IdentityMinIO {
		t.must(nil, t.minio().RemoveUser(t.Context(), accessKey))
		return
	}

	t.patch("delete-user", url.Values{"access": {accessKey}}, struct {
		XMLName xml.Name `xml:"None"`
	}{})
}
