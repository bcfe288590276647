package s3

import (
	"slices"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// An Error is a failed call in plain words. Its text holds nothing that changes from one call to the next.
type Error struct {
	// Class is what code decides by.
	Class Class
	// Code is the one of S3's error, such as NoSuchBucket. It is empty where there was none.
	Code string
	// Status is that of HTTP. It is 0 where there was no answer.
	Status int
	// RetryAfter is how long calls to this server will fail at once, for class Open.
	RetryAfter time.Duration
	// words are the text, where it says more than that of the class. They are clean, and free of secrets.
	words string
	// final says that the same call must not be tried again at once, though the class is temporary.
	final bool
	// cause is for errors.Is and errors.As. It is never printed.
	cause error
}

// Error says in plain words what is wrong, and what to do about it where that is known. It has at most 512 bytes.
func (e *Error) Error() string {
	if e.words != "" {
		return cut(e.words, maxText)
	}
	if words, ok := wordsOf[e.Class]; ok {
		return words
	}
	return "the call failed"
}

// Unwrap returns the SDK's error.
func (e *Error) Unwrap() error { return e.cause }

// RetryableError tells the SDK whether to try again at once. It asks this of failures to get an answer only.
func (e *Error) RetryableError() bool { return e.Class == Unreachable && !e.final }

// Explain returns an *Error for any error of a Client or of its HTTP client, nil for nil. What wraps the error is left out:
// wrap the result, not the operand.
func Explain(err error) error {
	if err == nil {
		return nil
	}
	return classify(err)
}

// ClassOf returns the class of any error of a Client or of its HTTP client, and OK for nil.
func ClassOf(err error) Class {
	if err == nil {
		return OK
	}
	return classify(err).Class
}

// Is tells whether err is of one of these classes.
func Is(err error, classes ...Class) bool { return slices.Contains(classes, ClassOf(err)) }

// Code returns the code of S3's error, such as NoSuchBucket, or "" if there is none.
func Code(err error) string {
	if err == nil {
		return ""
	}
	return classify(err).Code
}

// RetryAfter is how long it is of no use to call again, for class Open, and otherwise 0.
func RetryAfter(err error) time.Duration {
	var e *Error
	if errors.As(err, &e) {
		return e.RetryAfter
	}
	return 0
}
