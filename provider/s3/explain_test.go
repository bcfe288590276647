package s3

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/google/go-cmp/cmp"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// A call is an operation of the SDK's, with the input that it must have.
func getTagging(ctx context.Context, c *Client) error {
	_, err := c.GetBucketTagging(ctx, &awss3.GetBucketTaggingInput{Bucket: aws.String("a-bucket")})
	return err
}

func headBucket(ctx context.Context, c *Client) error {
	_, err := c.HeadBucket(ctx, &awss3.HeadBucketInput{Bucket: aws.String("a-bucket")})
	return err
}

func putPolicy(ctx context.Context, c *Client) error {
	_, err := c.PutBucketPolicy(ctx, &awss3.PutBucketPolicyInput{Bucket: aws.String("a-bucket"), Policy: aws.String("{}")})
	return err
}

func createBucket(ctx context.Context, c *Client) error {
	_, err := c.CreateBucket(ctx, &awss3.CreateBucketInput{Bucket: aws.String("a-bucket")})
	return err
}

// newClients are for one test.
func newClients(t *testing.T, o Options) *Clients {
	t.Helper()
	c, err := NewClients(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// newTestClient is one for an endpoint.
func newTestClient(t *testing.T, endpoint string) *Client {
	t.Helper()
	c, err := newClients(t, Options{}).For(t.Context(), Connection{
		Endpoint: endpoint, PathStyle: true,
		Credentials: Credentials{AccessKeyID: "AN-ACCESS-KEY", SecretAccessKey: "a-secret-key", SessionToken: "a-session-token"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func xmlError(code, message string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>` + code + `</Code><Message>` + message +
		`</Message><RequestId>4442587FB7D0A2F9</RequestId><HostId>a/host+id==</HostId></Error>`
}

func TestExplainAnswers(t *testing.T) {
	cases := map[string]struct {
		reason string
		call   func(context.Context, *Client) error
		status int
		body   string
		class  Class
		code   string
		words  string
	}{
		"OK":            {"No error is none.", getTagging, 200, `<Tagging><TagSet/></Tagging>`, OK, "", "<nil>"},
		"NoSuchBucket":  {"The code tells which of the things is missing.", getTagging, 404, xmlError("NoSuchBucket", "The specified bucket does not exist"), NoSuchBucket, "NoSuchBucket", "the bucket does not exist"},
		"NoTags":        {"No tags is not no bucket.", getTagging, 404, xmlError("NoSuchTagSet", "The TagSet does not exist"), NotConfigured, "NoSuchTagSet", "the bucket has nothing of this kind configured"},
		"NoEncryption":  {"A long code is known.", getTagging, 404, xmlError("ServerSideEncryptionConfigurationNotFoundError", ""), NotConfigured, "ServerSideEncryptionConfigurationNotFoundError", "the bucket has nothing of this kind configured"},
		"Head":          {"HEAD has no body, and does not say what is missing.", headBucket, 404, "", NotFound, "NotFound", "the server has no such thing (NotFound)"},
		"HeadForbidden": {"HEAD has no body.", headBucket, 403, "", Denied, "Forbidden", wordsOf[Denied]},
		"Missing":       {"A web server's 404 is not taken for a bucket's.", getTagging, 404, "<html><body>nothing here</body></html>", NotFound, "NotFound", "the server has no such thing (NotFound)"},
		"Unsupported":   {"501 is not worth trying again.", putPolicy, 501, xmlError("NotImplemented", "A header you provided"), Unsupported, "NotImplemented", "the server does not support this operation"},
		"Plain501":      {"501 needs no XML.", putPolicy, 501, "", Unsupported, "NotImplemented", "the server does not support this operation"},
		"Method":        {"Some say it with 405.", putPolicy, 405, xmlError("MethodNotAllowed", "The specified method is not allowed"), Unsupported, "MethodNotAllowed", "the server does not support this operation"},
		"Owned":         {"It exists.", createBucket, 409, xmlError("BucketAlreadyOwnedByYou", ""), AlreadyOwnedByYou, "BucketAlreadyOwnedByYou", "the bucket exists already"},
		"Exists":        {"It is another's.", createBucket, 409, xmlError("BucketAlreadyExists", ""), AlreadyExists, "BucketAlreadyExists", "the name is taken already"},
		"NotEmpty":      {"It holds something.", createBucket, 409, xmlError("BucketNotEmpty", ""), BucketNotEmpty, "BucketNotEmpty", "the bucket is not empty"},
		"Aborted":       {"Another is at it.", createBucket, 409, xmlError("OperationAborted", "A conflicting operation"), Conflict, "OperationAborted", codeWords["OperationAborted"]},
		"Denied": {"What AWS says has ARNs and key IDs in it.", getTagging, 403, xmlError("AccessDenied", "User: arn:aws:iam::123456789012:user/x is not authorized"), Denied, "AccessDenied",
			wordsOf[Denied]},
		"UnknownKey": {"Which part is wrong helps.", getTagging, 403, xmlError("InvalidAccessKeyId", "AN-ACCESS-KEY is unknown"), BadCredentials, "InvalidAccessKeyId", codeWords["InvalidAccessKeyId"]},
		"WrongKey":   {"Which part is wrong helps.", getTagging, 403, xmlError("SignatureDoesNotMatch", ""), BadCredentials, "SignatureDoesNotMatch", codeWords["SignatureDoesNotMatch"]},
		"Skew":       {"The message has two times in it.", getTagging, 403, xmlError("RequestTimeTooSkewed", "The difference is 2026-01-01"), ClockSkew, "RequestTimeTooSkewed", wordsOf[ClockSkew]},
		"Region":     {"Another region's bucket.", getTagging, 400, xmlError("AuthorizationHeaderMalformed", "expecting 'eu-west-1'"), WrongRegion, "AuthorizationHeaderMalformed", wordsOf[WrongRegion]},
		"Elsewhere":  {"S3's own redirect has a code.", getTagging, 301, xmlError("PermanentRedirect", ""), WrongRegion, "PermanentRedirect", wordsOf[WrongRegion]},
		"SlowDown":   {"Throttled.", getTagging, 503, xmlError("SlowDown", "Please reduce your request rate."), Throttled, "SlowDown", "the server asks for fewer requests (SlowDown)"},
		"Plain503":   {"A proxy in front says it so.", getTagging, 503, "<html>later</html>", Throttled, "ServiceUnavailable", "the server asks for fewer requests (ServiceUnavailable)"},
		"Fault":      {"The server's own fault.", getTagging, 500, xmlError("InternalError", "x"), ServerFault, "InternalError", "the server failed (InternalError)"},
		"Plain502":   {"A proxy's.", getTagging, 502, "Bad Gateway", ServerFault, "", "the server answers with HTTP status 502 Bad Gateway"},
		"Malformed": {"What is wrong with a policy helps.", putPolicy, 400, xmlError("MalformedPolicy", "Policy has invalid resource\n\narn:aws:s3:::other"), Invalid, "MalformedPolicy",
			"the server refuses this: MalformedPolicy: Policy has invalid resource arn:aws:s3:::other"},
		"Echo": {"Keys and IDs that a server repeats are left out.", putPolicy, 400, xmlError("InvalidArgument", "key AN-ACCESS-KEY token a-session-token id=0123456789ABCDEF wJalrXUtnFEMIK7MDENG"), Invalid, "InvalidArgument",
			"the server refuses this: InvalidArgument: key ... token ... ... ..."},
		"Long": {"A message has a bound.", putPolicy, 400, xmlError("InvalidArgument", strings.Repeat("word ", 1000)), Invalid, "InvalidArgument",
			"the server refuses this: InvalidArgument: " + strings.Repeat("word ", 39) + "wo..."},
		"OddCode":     {"A code has a form.", putPolicy, 400, xmlError("Evil&lt;b&gt; \u202e"+strings.Repeat("x", 100), ""), Invalid, "Evilb" + strings.Repeat("x", 56) + "...", "the server refuses this: Evilb" + strings.Repeat("x", 56) + "..."},
		"KeyAsCode":   {"A code that may be a key is none.", putPolicy, 400, xmlError("AKIA0123456789ABCDEF", ""), Invalid, "...", "the server refuses this: ..."},
		"NotXML":      {"No body is repeated.", putPolicy, 400, "secret text of another service", NotS3, "", "the server answers with HTTP status 400 Bad Request"},
		"CodeAsName":  {"A code may be the status's name.", putPolicy, 400, xmlError("BadRequest", "Too many tags"), Invalid, "BadRequest", "the server refuses this: BadRequest: Too many tags"},
		"BrokenXML":   {"No body is repeated.", putPolicy, 400, "<Error><Code>secret text", NotS3, "", "the server answers with HTTP status 400 Bad Request"},
		"BadSuccess":  {"No body is repeated.", getTagging, 200, "<Tagging><TagSet><Tag></secret></Tag>", NotS3, "", "the answer is not one of an S3 server (HTTP status 200 OK)"},
		"WebPage":     {"A web server that answers anything with a page is none of S3.", getTagging, 200, "<!DOCTYPE html><html><body>welcome</body></html>", NotS3, "", "the answer is not one of an S3 server (HTTP status 200 OK)"},
		"OddStatus":   {"Any status is told.", getTagging, 418, "", NotS3, "", "the server answers with HTTP status 418 I'm a teapot"},
		"EntityBomb":  {"Entities are not expanded.", getTagging, 400, `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Error><Code>&b;</Code></Error>`, NotS3, "", "the server answers with HTTP status 400 Bad Request"},
		"DeepNesting": {"Depth is bounded by length.", getTagging, 400, strings.Repeat("<a>", 20000), NotS3, "", "the server answers with HTTP status 400 Bad Request"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(tc.status)
				_, _ = fmt.Fprint(w, tc.body)
			}))
			defer server.Close()
			err := tc.call(t.Context(), newTestClient(t, server.URL))
			explained := Explain(errors.Wrap(err, "cannot do it"))
			if diff := cmp.Diff([]string{string(tc.class), tc.code, tc.words}, []string{string(ClassOf(err)), Code(err), fmt.Sprint(explained)}); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s\nin full: %v", tc.reason, diff, err)
			}
			if err != nil && strings.Contains(fmt.Sprintf("%+v", err), "4442587FB7D0A2F9") {
				t.Errorf("The error itself has the request's ID in it: %+v", err)
			}
		})
	}
}

func TestExplainOthers(t *testing.T) {
	cases := map[string]struct {
		reason string
		err    error
		class  Class
		words  string
	}{
		"Cancelled":  {"Whose fault it is matters.", errors.Wrap(context.Canceled, "x"), Cancelled, wordsOf[Cancelled]},
		"Unknown":    {"What is unknown is not repeated.", errors.New("secret"), Other, "the call could not be made"},
		"Ours":       {"Wraps are taken off.", errors.Wrap(&Error{Class: Open, words: "w"}, "x"), Open, "w"},
		"Admin":      {"Administration APIs have codes of their own.", NewError(0, "XMinioAdminNoSuchUser", "The specified user does not exist."), NotFound, "the server has no such thing (XMinioAdminNoSuchUser)"},
		"Statusless": {"MinIO's library does not tell the status.", NewError(0, "XMinioAdminInvalidAccessKey", "The access key is invalid."), Invalid, "the server refuses this: XMinioAdminInvalidAccessKey: The access key is invalid."},
		"Codeless":   {"Nothing is known.", NewError(0, "", "something secret"), NotS3, "the answer is not one of an S3 server"},
		"Kept":       {"A failure in an answer of success is one.", NewError(200, "InternalError", ""), ServerFault, "the server failed (InternalError)"},
		"Wordless":   {"An error always has words.", &Error{Class: Throttled}, Throttled, "the call failed"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff([]string{string(tc.class), tc.words}, []string{string(ClassOf(tc.err)), Explain(tc.err).Error()}); diff != "" {
				t.Errorf("%s\n-want, +got:\n%s", tc.reason, diff)
			}
		})
	}
	if Explain(nil) != nil {
		t.Error("Explain(nil) is an error")
	}
}

func TestInputThatLacksSomething(t *testing.T) {
	_, err := newTestClient(t, "http://127.0.0.1:1").GetBucketTagging(t.Context(), &awss3.GetBucketTaggingInput{})
	if diff := cmp.Diff(Invalid, ClassOf(err)); diff != "" {
		t.Errorf("It is refused before it is sent.\n-want, +got:\n%s\n%v", diff, err)
	}
}

func FuzzQuote(f *testing.F) {
	f.Add("Policy has invalid resource AKIA0123456789ABCDEF")
	f.Add("\x00\u202e\n\xff" + strings.Repeat("x", 300))
	f.Fuzz(func(t *testing.T, said string) {
		got := quote(said)
		if len(got) > maxQuoted {
			t.Errorf("%d bytes", len(got))
		}
		for _, r := range got {
			if r < ' ' || r > '~' {
				t.Errorf("%q is not plain", got)
			}
		}
		NewError(400, said, said)
	})
}
