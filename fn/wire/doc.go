// Package wire reads and writes google.protobuf.Struct in its wire form, between the bytes and typed Go values,
// the way encoding/json does it for JSON. It never builds the tree of structpb messages that generated code builds,
// and it depends on no generated code.
//
// A composition function receives the composite and every observed resource as a Struct, and returns desired
// resources as Structs. Decoded by generated code, each key and each value of each of them costs an allocation
// or two, most of them for content that the function never looks at. With this package a function declares a Go
// type that has the fields it needs, by their `json` tags, and pays for those:
//
//	type pod struct {
//		Metadata struct {
//			Name   string            `json:"name"`
//			Labels map[string]string `json:"labels"`
//		} `json:"metadata"`
//		Status struct {
//			Phase string `json:"phase"`
//		} `json:"status"`
//	}
//
//	var p pod
//	err := wire.Unmarshal(observed, &p)
//
// and it writes the Kubernetes types themselves:
//
//	desired, err := wire.Marshal(&corev1.Pod{...})
//
// The bytes come from a server that keeps the request as bytes, or from proto.Marshal of a structpb.Struct, and
// proto.Unmarshal into a structpb.Struct accepts what Marshal returns.
//
// # Reading
//
// [Unmarshal] fills a value as encoding/json would from the JSON of the same Struct: embedded structs, pointers,
// maps with string keys, slices, []byte as base64, any, and types with UnmarshalJSON or UnmarshalText, such as
// resource.Quantity, intstr.IntOrString or metav1.Time. The differences are:
//
//   - Field names match exactly, in upper and lower case, as the Kubernetes API server matches them.
//   - All mistakes of type come back at once, as [FieldErrors], each with the path of its field. The other fields
//     are filled nevertheless.
//   - A whole number may be written as 3.0 but not as 3.5. Beyond 2^53 an integer takes the exact value of the
//     double, whereas JSON takes the shortest decimal number that rounds to it.
//   - NaN and infinities are mistakes, since JSON cannot express them.
//   - A Value that has no kind reads as null.
//   - A slice that is filled is always a new one. As in encoding/json, fields that the Struct lacks keep what they
//     hold, and maps and pointers that are already there are filled further.
//   - The tag option "string", json.Number, arrays, and maps whose keys are not of a string kind are not supported.
//
// What the Go type has no field for is skipped by its length: it is not decoded, so mistakes inside it (bad UTF-8,
// a truncated message) go unnoticed, as they do inside a field of type [Value] or [Struct]. All that is walked means
// exactly what it means to generated code: the last entry of a repeated key wins, a struct or a list that is set
// twice in one Value is merged, unknown fields and known fields of the wrong wire type are passed over, and strings
// and keys must be valid UTF-8. Decoding into any walks everything.
//
// Strings are copies, so a decoded value does not hold on to the request. Only [Value] and [Struct] fields alias it.
//
// Objects and lists may be nested 128 deep, in both directions, and what it takes to merge repeated fields is limited
// too, so that no request can exhaust the stack or multiply its size in memory.
//
// # Writing
//
// [Marshal] and [Append] write what a server-side apply should own, and nothing else:
//
//   - Left out always: nil pointers and interfaces, nil and empty slices and maps, structs that are zero or have
//     nothing to write, and whatever marshals to the JSON null, such as a zero metav1.Time. An object therefore never
//     contains a null, nor a status merely because its Go type has one.
//   - Left out if the tag says omitempty or omitzero: "", 0, false, and zero values of types with MarshalJSON, such
//     as resource.Quantity. Without the tag they are written, since such a field is a required one.
//   - Written, since somebody set it on purpose: a pointer to a zero scalar (replicas: 0) and a pointer to an empty
//     struct (emptyDir: {}), and empty objects and lists that are entries of a map, elements of a list or content
//     of an any. A nil element of a list is written as null, for the sake of those behind it.
//
// The output is canonical. Keys are sorted, so equal values give equal bytes, and they are the bytes that
// proto.MarshalOptions{Deterministic: true} gives for the same Struct. NaN, infinities, invalid UTF-8 and integers that
// a double cannot hold are errors, as each would change on its way.
//
// Type information is gathered once for each Go type and kept, and all functions may be called concurrently.
package wire
