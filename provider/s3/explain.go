package s3

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

const (
	// maxText is how long the text of an Error gets, so that conditions stay readable whatever a server says.
	maxText = 512
	// maxQuoted is how much of it a server's own words may be.
	maxQuoted = 200
	// maxCode is more than the longest code of S3's errors has.
	maxCode = 64
	// maxSite is how much of it an endpoint may be. A host's name has at most 253 bytes.
	maxSite = 280
)

// wordsOf are the texts of the classes whose errors need not say more.
var wordsOf = map[Class]string{
	NoSuchBucket:      "the bucket does not exist",
	NotConfigured:     "the bucket has nothing of this kind configured",
	NotFound:          "the server has no such thing",
	Unsupported:       "the server does not support this operation",
	BucketNotEmpty:    "the bucket is not empty",
	AlreadyOwnedByYou: "the bucket exists already",
	AlreadyExists:     "the name is taken already",
	Denied:            "the server does not allow this operation to the credentials in use: let them do it, or use others",
	BadCredentials:    "the server does not accept the credentials: correct them",
	ClockSkew:         "the server's clock and the provider's differ too much: set both right",
	WrongRegion:       "the region is not that of the bucket or of the server: set the right one",
	Cancelled:         "the call was given up before it was answered",
}

// codeWords say more than the class does, for single codes.
var codeWords = map[string]string{
	"InvalidAccessKeyId":    "the server does not know the access key ID: correct the credentials",
	"InvalidClientTokenId":  "the server does not know the access key ID: correct the credentials",
	"SignatureDoesNotMatch": "the secret access key is not the one of the access key ID: correct the credentials",
	"ExpiredToken":          "the credentials have expired: renew them",
	"ExpiredTokenException": "the credentials have expired: renew them",
	"OperationAborted":      "the server is at work on another operation of this bucket",
	"InvalidBucketState":    "the state of the bucket's versioning or object lock does not allow this",
	"TooManyBuckets":        "the account has as many buckets as it may have",
}

// classify finds the Error in err, or makes one of what the SDK returns.
func classify(err error) *Error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	status := 0
	var response *smithyhttp.ResponseError
	if errors.As(err, &response) && response.Response != nil && response.Response.Response != nil {
		status = response.HTTPStatusCode()
	}
	var api smithy.APIError
	if errors.As(err, &api) {
		e := NewError(status, api.ErrorCode(), api.ErrorMessage())
		e.cause = err
		return e
	}
	var malformed *smithy.DeserializationError
	if status != 0 || errors.As(err, &malformed) {
		return &Error{Class: NotS3, Status: status, cause: err, words: notS3(status)}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &Error{Class: Cancelled, cause: err}
	}
	var params smithy.InvalidParamsError
	var serialization *smithy.SerializationError
	if errors.As(err, &params) || errors.As(err, &serialization) {
		return &Error{Class: Invalid, cause: err, words: "the request lacks something that it must have"}
	}
	return &Error{Class: Other, cause: err, words: "the call could not be made"}
}

// NewError makes the Error of an answer with a failure. The code and the message are the server's own; either may be empty.
// It is exported for answers that another than the SDK has read, such as those of administration APIs.
func NewError(status int, code, message string) *Error {
	if code == unknownError {
		code = ""
	}
	if message == unknownError {
		message = ""
	}
	// The SDK takes the status's name for code and message where the answer has none, so no server of S3's speaks then.
	name := http.StatusText(status)
	derived := code == "" || code == strings.ReplaceAll(name, " ", "") && (message == "" || message == name)
	e := &Error{Class: classOfStatus(status), Code: cleanCode(code), Status: status}
	if c, ok := classes[code]; ok && (!derived || status/100 != 3) {
		e.Class = c
	} else if derived {
		e.Code, e.words = "", notS3(status)
		if e.Class == Invalid || e.Class == Conflict {
			e.Class = NotS3
		}
		return e
	}
	if e.Class == OK || e.Class == NotS3 {
		// It has a code of S3's after all. MinIO's library does not tell the status.
		e.Class = Invalid
	}
	e.words = codeWords[code]
	if e.words != "" {
		return e
	}
	switch e.Class {
	case NotFound:
		e.words = fmt.Sprintf("%s (%s)", wordsOf[NotFound], e.Code)
	case Throttled:
		e.words = fmt.Sprintf("the server asks for fewer requests (%s)", e.Code)
	case ServerFault:
		e.words = fmt.Sprintf("the server failed (%s)", e.Code)
	case Invalid, Conflict:
		e.words = "the server refuses this: " + e.Code
		if said := quote(message); said != "" {
			e.words += ": " + said
		}
	default:
	}
	return e
}

// notS3 are the words for an answer of which only the status is worth telling.
func notS3(status int) string {
	switch name := http.StatusText(status); {
	case status == 0:
		return "the answer is not one of an S3 server"
	case status/100 == 3:
		return fmt.Sprintf("the answer is a redirect (HTTP status %d %s), which is not followed: set the endpoint and the region to the right ones", status, name)
	case status/100 == 2:
		return fmt.Sprintf("the answer is not one of an S3 server (HTTP status %d %s)", status, name)
	default:
		return fmt.Sprintf("the server answers with HTTP status %d %s", status, name)
	}
}

// cleanCode drops what no code has, so that it may stand in a text.
func cleanCode(code string) string {
	code = strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r == ':' || strings.ContainsRune(tokenCharacters, r) {
			return r
		}
		return -1
	}, code)
	if len(code) >= maxToken && strings.ContainsAny(code, digits) {
		return "..."
	}
	return cut(code, maxCode)
}

// quote makes a server's words fit for a condition: one line of printable ASCII, with nothing in it that might be a key, a
// request's ID, or anything else that no person reads.
func quote(said string) string {
	fields := strings.FieldsFunc(said, func(r rune) bool { return r <= ' ' || r > '~' })
	out := strings.Builder{}
	for _, f := range fields {
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(blank(f))
		if out.Len() > maxQuoted {
			break
		}
	}
	return cut(out.String(), maxQuoted)
}

// maxWord and maxToken are how long a run of letters and digits may be: a key's ID has 16 letters and digits at the least,
// a request's ID too, and names of S3's elements, which have no digits, have fewer than 32.
const (
	maxToken = 16
	maxWord  = 32
)

// blank replaces runs of letters and digits that are too long to be words.
func blank(field string) string {
	out := strings.Builder{}
	for len(field) > 0 {
		n := strings.IndexFunc(field, func(r rune) bool { return !strings.ContainsRune(tokenCharacters, r) })
		if n < 0 {
			n = len(field)
		}
		if run := field[:n]; n >= maxWord || n >= maxToken && strings.ContainsAny(run, digits) {
			out.WriteString("...")
		} else {
			out.WriteString(run)
		}
		if n < len(field) {
			out.WriteByte(field[n])
			n++
		}
		field = field[n:]
	}
	return out.String()
}

const (
	digits = "0123456789"
	// unknownError is what the SDK says where the server says nothing.
	unknownError    = "UnknownError"
	tokenCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/=_" + digits
)

// cut shortens a text to at most n bytes, and shows that it did.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n-3], "") + "..."
}

// site is the part of an endpoint that errors name: scheme, host and port.
func site(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return "the endpoint"
	}
	return cut(u.Scheme+"://"+u.Host, maxSite)
}
