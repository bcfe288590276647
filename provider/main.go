// Command provider-echo is a Crossplane provider whose managed resources are S3
// buckets, and keys to them, that a tenant holds in their own namespace.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	_ "golang.org/x/crypto/x509roots/fallback" // The image has no CA roots: the binary has.
	"sigs.k8s.io/controller-runtime/pkg/client/config"
)

// gcPercent halves the garbage that a burst of reconciles leaves in resident memory;
// an idle provider has next to none. GOGC in the environment overrides it.
const gcPercent = 50

// Defaults of flags that are a choice.
const (
	// defaultPoll is ten times what is usual: changes of resources and configs are
	// watched, so that a poll only finds what somebody changed at the server
	// behind the provider's back. That is rare, and each poll is a call that some
	// servers charge for. A resource can ask for a shorter one by annotation.
	defaultPoll = 10 * time.Minute

	// defaultSync is how often what is in memory is looked at again, in case news
	// was lost. It costs no request.
	defaultSync = time.Hour

	// defaultReconcileRate is about as many reconciles in a second as an API server
	// with two cores can record.
	defaultReconcileRate = 250
)

// settings are what the flags say.
type settings struct {
	debug             bool
	poll, sync        time.Duration
	reconcileRate     int
	leaderElection    bool
	leaderNamespace   string
	metrics, health   string
	tenantEndpoints   string
	changeLogs        bool
	changeLogsAddress string
}

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}

	if err := start(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "provider-echo:", err)
		os.Exit(1)
	}
}

// start runs the provider until it is told to stop.
func start(args []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()

	s, err := parse(args)
	if err != nil {
		return err
	}

	return run(ctx, s)
}

// parse reads the flags.
func parse(args []string) (settings, error) {
	var s settings

	f := flag.NewFlagSet("provider-echo", flag.ExitOnError)
	config.RegisterFlags(f)
	f.BoolVar(&s.debug, "debug", false, "log what each reconcile does")
	f.DurationVar(&s.poll, "poll", defaultPoll, "how often a resource is compared with the server; a tenth of it is left to chance")
	f.DurationVar(&s.sync, "sync", defaultSync, "how often all that is in memory is looked at again")
	f.IntVar(&s.reconcileRate, "max-reconcile-rate", defaultReconcileRate, "how many reconciles may start in a second, over all controllers")
	f.BoolVar(&s.leaderElection, "leader-election", false, "let only one of several providers work at a time")
	f.StringVar(&s.leaderNamespace, "leader-election-namespace", os.Getenv("POD_NAMESPACE"), "namespace of the leader's Lease; that of the Pod if empty (POD_NAMESPACE)")
	f.StringVar(&s.metrics, "metrics-bind-address", ":8080", "address to serve metrics on; 0 for none")
	f.StringVar(&s.health, "health-probe-bind-address", ":8081", "address to serve /healthz and /readyz on; 0 for none")
	f.StringVar(&s.tenantEndpoints, "tenant-endpoints", "any", "hosts, separated by commas, that ProviderConfigs in namespaces may name: s3.example.com, s3.example.com:9000, *.example.com; any, or none")
	f.BoolVar(&s.changeLogs, "enable-changelogs", false, "send a record of each change to the change log service beside the provider")
	f.StringVar(&s.changeLogsAddress, "changelogs-socket-path", "/var/run/changelogs/changelogs.sock", "Unix socket of the change log service")

	if err := f.Parse(args); err != nil {
		return s, err
	}

	for _, wrong := range []struct {
		is   bool
		what string
	}{
		{f.NArg() > 0, fmt.Sprintf("unknown argument %q", f.Arg(0))},
		{s.poll <= 0, "--poll must be more than zero"},
		{s.sync <= 0, "--sync must be more than zero"},
		{s.reconcileRate <= 0, "--max-reconcile-rate must be more than zero"},
	} {
		if wrong.is {
			return s, errors.New(wrong.what)
		}
	}

	return s, nil
}
