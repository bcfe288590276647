package composition

import "time"

// A Response says what a composite resource should be made of.
//
// A response with a Fatal error says nothing else of resources: Crossplane then
// keeps all that exists as it is. Leaving resources out of a response that is
// not fatal deletes them.
type Response struct {
	// Resources are the composed resources to apply, by their key.
	Resources map[string]Resource
	// NotReady says that the composite is not ready whatever its resources
	// are, because one that it needs cannot be composed.
	NotReady bool
	// Status is the composite's status, as a value that encodes to an object;
	// nil leaves the status alone.
	Status any
	// Conditions to set on the composite and its claim.
	Conditions []Condition
	// Events to record on the composite and its claim. Send one on a
	// transition only: an event on every call is noise that nobody reads.
	Events []Event
	// Requirements name resources that must be looked up before the response
	// counts. Crossplane asks again with what it found.
	Requirements map[string]Selector
	// Schemas name kinds whose schema must be looked up before the response
	// counts.
	Schemas map[string]Kind
	// Requeue asks to be called again after this long even if nothing
	// changes; zero waits for a change.
	Requeue time.Duration
	// Fatal, if set, is why no response could be computed.
	Fatal error
}

// A Resource is one that the composite should have.
type Resource struct {
	// Object encodes to the fields that this function has an opinion on, and
	// to no others.
	Object any
	// Ready says that the resource has been observed to do its job.
	Ready bool
}

// A Condition tells the composite's owner how one aspect of it does.
type Condition struct {
	Type    string
	Status  bool
	Reason  string
	Message string
}

// An Event tells the composite's owner that something happened.
type Event struct {
	Warning bool
	Reason  string
	Message string
}

// A Kind names a kind of resource.
type Kind struct {
	APIVersion string
	Kind       string
}

// A Selector names one resource, or, without a Name, all of a kind in a namespace
// that have the Labels.
type Selector struct {
	Kind

	Namespace string
	Name      string
	Labels    map[string]string
}

// Fatal is a response that keeps everything as it is, because of err.
func Fatal(err error, c ...Condition) *Response {
	return &Response{Fatal: err, Conditions: c}
}
