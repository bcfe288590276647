//go:build !linux

package main

// releaseBinary is only for Linux.
func releaseBinary() {}
