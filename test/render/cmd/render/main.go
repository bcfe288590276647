// Command render prints what examples render to, as YAML on standard output:
//
//	render [EXAMPLE ...]
//
// Without arguments it renders all of them. ECHO_TOOLS names the directory of
// the built tools; the repository is the current directory.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"my-operator.dev/echo/test/render"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "render:", err)
		os.Exit(1)
	}
}

func run(examples []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	if len(examples) == 0 {
		var err error
		if examples, err = render.Examples("."); err != nil {
			return err
		}
	}

	r, err := render.Start(ctx, os.Getenv("ECHO_TOOLS"), ".")
	if err != nil {
		return err
	}
	defer r.Stop() //nolint:errcheck // It only fails to tidy up.

	for _, e := range examples {
		out, err := r.Example(ctx, e)
		if err != nil {
			return err
		}

		if _, err := os.Stdout.Write(out); err != nil {
			return err
		}
	}

	return nil
}
