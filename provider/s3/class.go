package s3

// A Class is what kind of failure an Error is. It is a metric's label as well.
type Class string

// The classes. A comment names the codes of S3 or the faults that are meant.
const (
	// OK is of no error.
	OK Class = "ok"
	// NoSuchBucket is of a bucket that does not exist.
	NoSuchBucket Class = "no_such_bucket"
	// NotConfigured is of a bucket that has nothing of what was asked for: no tags, no policy, no CORS, no lifecycle...
	NotConfigured Class = "not_configured"
	// NotFound is of anything else that does not exist, and of HEAD's 404, which does not say what is missing.
	NotFound Class = "not_found"
	// Unsupported is of what the server cannot do: 501, NotImplemented, 405, MethodNotAllowed.
	Unsupported Class = "unsupported"
	// BucketNotEmpty is of a bucket that has objects, versions or delete markers.
	BucketNotEmpty Class = "bucket_not_empty"
	// AlreadyOwnedByYou is of a bucket that exists, and belongs to the same account. That says nothing of whose it is to us.
	AlreadyOwnedByYou Class = "already_owned_by_you"
	// AlreadyExists is of a bucket that exists and belongs to another account, or of a user or policy that exists.
	AlreadyExists Class = "already_exists"
	// Denied is of what these credentials may not do.
	Denied Class = "denied"
	// BadCredentials is of credentials that are unknown, wrong, expired or absent.
	BadCredentials Class = "bad_credentials"
	// ClockSkew is of clocks that differ too much.
	ClockSkew Class = "clock_skew"
	// WrongRegion is of a request signed for, or sent to, another region than the bucket's.
	WrongRegion Class = "wrong_region"
	// Invalid is of a request that the server refuses as wrong, and of a Connection that is.
	Invalid Class = "invalid"
	// Conflict is of a request that does not fit the state: an operation under way, versioning that object lock forbids to stop.
	Conflict Class = "conflict"
	// Throttled is of a server that asks for fewer requests: SlowDown, 503, 429.
	Throttled Class = "throttled"
	// ServerFault is of any other 5xx.
	ServerFault Class = "server_fault"
	// NotS3 is of an answer that no S3 server gives, a redirect too.
	NotS3 Class = "not_s3"
	// Unreachable is of a server that cannot be connected to, does not answer in time, or breaks off.
	Unreachable Class = "unreachable"
	// Untrusted is of a TLS connection that cannot be made: an unknown authority, a wrong name, no TLS at all.
	Untrusted Class = "untrusted"
	// Open is of a call that was not made, since those before it found the server dead; its own first try
	// may have been one of them. Error.RetryAfter says for how long.
	Open Class = "open"
	// Busy is of a call that was not made, since as many as are allowed were under way until its time was over.
	Busy Class = "busy"
	// Cancelled is of a call whose context ended.
	Cancelled Class = "cancelled"
	// Other is of what is none of these.
	Other Class = "other"
)

// Temporary tells whether the same call may succeed later with nobody having changed anything.
func (c Class) Temporary() bool {
	switch c {
	case Throttled, ServerFault, Unreachable, Open, Busy, Cancelled, ClockSkew:
		return true
	default:
		return false
	}
}
