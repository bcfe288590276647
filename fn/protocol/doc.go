// Package protocol reads RunFunctionRequest and writes RunFunctionResponse, the
// two messages of Crossplane's function protocol, straight from and to their
// wire form.
//
// It and package wire are the only ones that know protobuf. Everything else
// deals in composition.Request and composition.Response.
//
// Reading copies nothing: a Request points into the bytes it was read from. What
// this function has no business with (other functions' desired state, the
// context) is passed on as the bytes it came in, which is what keeps fields of
// newer versions of the protocol whole.
//
// Field numbers are those of
// https://github.com/crossplane/crossplane/blob/main/proto/fn/v1/run_function.proto.
package protocol
