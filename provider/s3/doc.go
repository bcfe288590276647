// Package s3 is the connection to servers that speak the S3 API.
//
// A Connection says where a server is and as whom to speak to it. Clients makes a Client from it, and shares that among
// all who hold an equal Connection. A Client has every operation of the SDK's client; around each of them are a limit on
// the calls in flight, breakers, timeouts, bounds on what is read, metrics and traces.
//
// Errors of a Client are of type *Error. They have a Class, which is what code decides by, and a text in plain words that
// stays the same while the fault does, and holds no key, request ID or body, so that it may stand in a condition.
package s3
