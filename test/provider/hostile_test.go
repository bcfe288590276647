package provider

import (
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"sync"
	"testing"

	providerv1beta1 "my-operator.dev/echo/apis/provider/v1beta1"
)

// A hostile server is an attacker's. It keeps all that it is sent.
type hostile struct {
	*httptest.Server

	mu   sync.Mutex
	sent strings.Builder
	n    int
}

// newHostile starts a server that answers as the handler does.
func newHostile(t *testing.T, answer http.HandlerFunc) *hostile {
	t.Helper()

	h := &hostile{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		const most = 64 << 10

		dump, _ := httputil.DumpRequest(r, false)
		body, _ := io.ReadAll(io.LimitReader(r.Body, most))

		h.mu.Lock()
		h.n++
		h.sent.Write(dump)
		h.sent.Write(body)
		h.mu.Unlock()

		answer(w, r)
	}))
	t.Cleanup(h.Close)

	return h
}

// heard is all that it was sent, and in how many requests.
func (h *hostile) heard() (string, int) {
	h.mu.Lock()
	defer h.mu.Unlock()

	return h.sent.String(), h.n
}

// connection is how the attacker's config names it: as a server whose identity API is
// that of the real one.
func (h *hostile) connection(of server) providerv1beta1.Connection {
	c := of.connection()
	c.Endpoint = h.URL

	return c
}

// A tag as S3 writes it.
type xmlTag struct {
	XMLName xml.Name `xml:"Tag"`
	Key     string
	Value   string
}

// answerTags answers with a bucket's tags.
func answerTags(w http.ResponseWriter, tags map[string]string) {
	set := []xmlTag{}
	for k, v := range tags {
		set = append(set, xmlTag{Key: k, Value: v})
	}
	text, _ := xml.Marshal(struct {
		XMLName xml.Name `xml:"Tagging"`
		TagSet  []xmlTag `xml:"TagSet>Tag"`
	}{TagSet: set})
	_, _ = w.Write(text)
}

// answerError answers with an error of S3's.
func answerError(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>%s</Message></Error>", code, message)
}
