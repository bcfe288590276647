// Command toolbuild builds every server and tool that tests and make targets
// run, from the versions that the modules at and below hack/tools pin, into a
// directory named by the content of what it is built from:
//
//	.cache/tools/<hash>/    one file per tool, and the data files in share/
//	.cache/tools/current    a symbolic link to the above
//
// It prints that directory as the only line on standard output. Progress goes
// to standard error, because a cold build takes about a quarter of an hour on two
// cores. What is there already, in this directory or in that of an earlier
// version, is not built again, and two builds at once wait for each other.
//
// It uses the standard library alone, so that go run starts it at once.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	root := flag.String("root", ".", "the root of the repository")
	flag.Parse()

	dir, err := run(*root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "toolbuild:", err)
		os.Exit(1)
	}
	fmt.Println(dir)
}

func run(root string) (string, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	root, err := filepath.Abs(root)
	if err != nil {
		return "", fmt.Errorf("cannot resolve %s: %w", root, err)
	}
	b := builder{modules: filepath.Join(root, "hack", "tools"), cache: filepath.Join(root, ".cache", "tools"), progress: os.Stderr}
	if err := os.MkdirAll(b.cache, 0o755); err != nil {
		return "", fmt.Errorf("cannot make the tool cache: %w", err)
	}

	unlock, err := lock(filepath.Join(b.cache, "lock"), b.progress)
	if err != nil {
		return "", err
	}
	defer unlock()

	keys, err := b.keys(ctx)
	if err != nil {
		return "", err
	}
	dir := b.dir(keys)
	if err := b.build(ctx, dir, keys); err != nil {
		return "", err
	}
	if err := b.copyData(ctx, filepath.Join(dir, "share")); err != nil {
		return "", err
	}
	if err := link(b.cache, dir); err != nil {
		return "", err
	}
	return dir, prune(b.cache, dir)
}
