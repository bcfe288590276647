// Command packages builds the Crossplane packages of this repository, from the folders under package/:
//
//	go run ./hack/packages --tools DIR --out dist --version v0.1.0
//
// It writes one file per package, and one per platform where a package carries a runtime image:
//
//	dist/function-echo-amd64.xpkg
//	dist/function-echo-arm64.xpkg
//	dist/provider-echo-amd64.xpkg
//	dist/provider-echo-arm64.xpkg
//	dist/configuration-echo.xpkg
//	dist/configuration-echo-claims.xpkg
//
// A package is an OCI image in the tar form of "docker save", which `crossplane xpkg push` takes; given both files
// of function-echo it pushes one multi-platform image, and likewise of provider-echo.
//
// No Docker is needed: the runtime images have nothing in them but one static binary, so writing one is writing a
// tar file. The same sources, Go toolchain and version give the same bytes.
//
// Read the files in the order of the build: main.go builds all packages, runtime.go says which of them run, binary.go compiles, image.go
// makes a scratch image of the binary, xpkg.go makes a package of a folder and an image.
package main
