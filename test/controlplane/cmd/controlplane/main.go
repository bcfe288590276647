// Command controlplane starts and stops a control plane that stays up.
//
//	controlplane up [--push REF=FILE[,FILE]]... [--package KIND=NAME=REF=FILE[,FILE]]... [--apply PATH]... [--tenant NAMESPACE]... [--s3 SERVER]...
//	controlplane down
//
// Up returns when the control plane is up, everything is installed and applied,
// and prints the path of the administrator's kubeconfig. What it knows of the
// running control plane is in the state directory, .cache/controlplane:
//
//	pid               the process that holds the control plane
//	kubeconfig        the administrator's, a symbolic link
//	NAMESPACE.kubeconfig  a tenant's, likewise
//	SERVER.env        the endpoint and the administrator's keys of an S3 server,
//	                  as variables that SDKs read, likewise
//	workdir           a symbolic link to its data and logs
//	log               what the process said
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/pflag"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "controlplane:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c := command{}
	flags := pflag.NewFlagSet("controlplane", pflag.ContinueOnError)
	flags.StringVar(&c.state, "state", ".cache/controlplane", "directory that records the running control plane")
	flags.StringVar(&c.options.Tools, "tools", "", "directory of the tools (default $ECHO_TOOLS)")
	flags.BoolVar(&c.foreground, "foreground", false, "stay in the foreground until interrupted")
	flags.StringArrayVar(&c.packages, "package", nil, "KIND=NAME=REF=FILE[,FILE]: a package to push and install, in the order given; without files it is taken to be pushed already")
	flags.StringArrayVar(&c.push, "push", nil, "REF=FILE[,FILE]: a package to push before manifests are applied")
	flags.StringArrayVar(&c.apply, "apply", nil, "file or directory of manifests to apply before packages are installed")
	flags.StringArrayVar(&c.tenants, "tenant", nil, "namespace to make, with a tenant's kubeconfig")
	flags.StringArrayVar(&c.options.TenantClusterRoles, "tenant-role", nil, "ClusterRole that tenants get in their namespace")
	flags.StringArrayVar(&c.options.S3, "s3", nil, "S3 server to start: versitygw, versitygw-tls, minio or minio-tls")
	flags.DurationVar(&c.timeout, "timeout", defaultTimeout, "how long each package may take to become healthy")
	if err := flags.Parse(args); err != nil {
		return err //nolint:wrapcheck // It says what is wrong with which flag.
	}
	switch flags.Arg(0) {
	case "up":
		if c.foreground {
			return c.hold(ctx)
		}
		return c.up(ctx, args)
	case "down":
		return c.down(ctx)
	default:
		return fmt.Errorf("say up or down, and these flags:\n%s", flags.FlagUsages())
	}
}
