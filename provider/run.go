package main

import (
	"context"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/controller"
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/feature"
	"github.com/crossplane/crossplane-runtime/v2/pkg/gate"
	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/crossplane/crossplane-runtime/v2/pkg/ratelimiter"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"my-operator.dev/echo/provider/config"
	"my-operator.dev/echo/provider/kube"
	"my-operator.dev/echo/provider/s3"
)

// maxConcurrency bounds the reconciles that a controller runs at once. Each spends
// most of its few dozen milliseconds waiting, so that 32 are enough for some hundreds
// in a second; more would mostly be more stacks to keep in memory.
const maxConcurrency = 32

// flushTimeout bounds the sending of what is left of traces in the end.
const flushTimeout = 3 * time.Second

// run runs the provider until the context ends, or something fails for good.
func run(ctx context.Context, s settings) error {
	log := setLoggers(s.debug)

	stopTraces, err := startTraces(ctx)
	if err != nil {
		return err
	}

	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTimeout)
		defer cancel()

		if err := stopTraces(ctx); err != nil {
			log.Info("Cannot send the last traces", "error", err)
		}
	}()

	cfg, err := ctrl.GetConfig()
	if err != nil {
		return errors.Wrap(err, "cannot find the API server")
	}

	mgr, err := kube.NewManager(cfg, kube.Options{
		Reconciles:              s.reconcileRate,
		Sync:                    s.sync,
		LeaderElection:          s.leaderElection,
		LeaderElectionNamespace: s.leaderNamespace,
		MetricsAddress:          s.metrics,
		HealthAddress:           s.health,
	})
	if err != nil {
		return err
	}

	o, closeOptions, err := options(mgr, s, log)
	if err != nil {
		return err
	}
	defer closeOptions()

	return manage(ctx, mgr, o)
}

// manage starts the manager, and each controller once its kinds are served.
func manage(ctx context.Context, mgr ctrl.Manager, o config.Options) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)

	states := kube.NewStates(mgr.GetClient())
	if err := metrics.Registry.Register(states); err != nil {
		return errors.Wrap(err, "cannot register metrics")
	}

	all := map[schema.GroupVersionKind]bool{}

	for _, c := range controllers() {
		for _, gvk := range c.kinds {
			all[gvk] = true
		}

		o.Gate.Register(func() {
			if err := c.setup(ctx, mgr, o); err != nil {
				fail(errors.Wrapf(err, "cannot set up the controllers of %s", c.name))
				return
			}

			if c.list != nil {
				states.Add(c.kinds[0], c.list)
			}

			o.Logger.Info("Watching", "kind", c.name)
		}, c.kinds...)
	}

	var kinds []schema.GroupVersionKind
	for gvk := range all {
		kinds = append(kinds, gvk)
	}

	if err := kube.OpenWhenServed(mgr, o.Gate, o.Logger, kinds...); err != nil {
		return err
	}

	go trimMemory(ctx)

	if err := mgr.Start(ctx); err != nil {
		return errors.Wrap(err, "cannot run manager")
	}

	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}

	return nil
}

// options returns what the controllers share, and a function that lets go of it.
func options(mgr ctrl.Manager, s settings, log logging.Logger) (config.Options, func(), error) {
	endpoints, err := config.ParseEndpoints(s.tenantEndpoints)
	if err != nil {
		return config.Options{}, nil, errors.Wrap(err, "--tenant-endpoints")
	}

	clients, err := s3.NewClients(s3.Options{Registerer: metrics.Registry})
	if err != nil {
		return config.Options{}, nil, errors.Wrap(err, "cannot make S3 clients")
	}

	recorder := managed.NewMRMetricRecorder()
	if err := metrics.Registry.Register(recorder); err != nil {
		return config.Options{}, nil, errors.Wrap(err, "cannot register metrics")
	}

	o := config.Options{
		Options: controller.Options{
			Logger:                  log,
			GlobalRateLimiter:       ratelimiter.NewGlobal(s.reconcileRate),
			PollInterval:            s.poll,
			MaxConcurrentReconciles: min(s.reconcileRate, maxConcurrency),
			Features:                &feature.Flags{},
			MetricOptions:           &controller.MetricOptions{MRMetrics: recorder},
			Gate:                    new(gate.Gate[schema.GroupVersionKind]),
		},
		Resolver: config.NewResolver(mgr.GetClient(), mgr.GetAPIReader(), endpoints, log),
		Clients:  clients,
	}
	o.Features.Enable(feature.EnableBetaManagementPolicies)

	if !s.changeLogs {
		return o, func() {}, nil
	}

	logger, closeLogger, err := dialChangeLogs(s.changeLogsAddress)
	if err != nil {
		return config.Options{}, nil, err
	}

	o.Features.Enable(feature.EnableAlphaChangeLogs)
	o.ChangeLogOptions = &controller.ChangeLogOptions{ChangeLogger: logger}

	return o, func() {
		if err := closeLogger(); err != nil {
			log.Info("Cannot close the connection to the change log service", "error", err)
		}
	}, nil
}
