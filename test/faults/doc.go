// Package faults breaks what the provider stands on, and looks at what is left. Each
// test ends with the same comparison of the server's buckets and users with the API's
// objects: nothing lost, nothing leaked, nothing stuck.
//
// The faults are real where they can be: processes are killed, real servers refuse
// real keys. Those of the network are made by package s3proxy, before a real server.
// Instants are random, and what is asserted are counts and final states, never times.
//
//	go test ./test/faults                              # each fault once or twice
//	go test ./test/faults -v -trials=20                # as make faults does
//	go test ./test/faults -v -run TestKilled -seed=17  # again, with the same choices
package faults
