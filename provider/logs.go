package main

import (
	"log/slog"
	"os"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
)

// setLoggers returns the provider's logger, and gives one to the libraries, which
// only complain, unless in debug. Each line is a JSON object on the standard error.
func setLoggers(debug bool) logging.Logger {
	ours, theirs := slog.LevelInfo, slog.LevelError
	if debug {
		ours, theirs = slog.LevelDebug, slog.LevelDebug
	}

	libraries := logr.FromSlogHandler(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: theirs}))
	ctrl.SetLogger(libraries)
	klog.SetLogger(libraries)

	return logging.NewLogrLogger(logr.FromSlogHandler(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: ours})))
}
