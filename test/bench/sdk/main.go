// Command sdk is the reference to measure function-echo by: it wants the same of
// a settled Echo, and is written the way the guides to Crossplane's function SDK
// show, with typed objects and the SDK's helpers.
//
// It does less than function-echo does: no rollout, no guard of names that are
// taken, no validation. What it leaves out would only make it slower.
package main

import (
	"flag"
	"fmt"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"

	function "github.com/crossplane/function-sdk-go"
	"github.com/crossplane/function-sdk-go/resource/composed"

	"my-operator.dev/echo/test/bench/raw"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "sdk:", err)
		os.Exit(1)
	}
}

func run() error {
	var (
		address  = flag.String("address", ":9443", "address to serve the function on")
		metrics  = flag.String("metrics-address", ":8080", "address to serve metrics on")
		insecure = flag.Bool("insecure", false, "serve without TLS")
		certs    = flag.String("tls-certs-dir", "", "directory of tls.crt, tls.key and ca.crt")
	)

	flag.Parse()

	for _, add := range []func() error{
		func() error { return corev1.AddToScheme(composed.Scheme) },
		func() error { return appsv1.AddToScheme(composed.Scheme) },
		func() error { return policyv1.AddToScheme(composed.Scheme) },
	} {
		if err := add(); err != nil {
			return err
		}
	}

	return function.Serve(&Function{},
		function.Listen("tcp", *address),
		function.Insecure(*insecure),
		function.MTLSCertificates(*certs),
		function.WithMetricsServer(*metrics),
		function.MaxRecvMessageSize(raw.MaxMessage),
	)
}
