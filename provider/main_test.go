package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	defaults := settings{
		poll: 10 * time.Minute, sync: time.Hour, reconcileRate: 250, metrics: ":8080", health: ":8081",
		tenantEndpoints: "any", changeLogsAddress: "/var/run/changelogs/changelogs.sock", leaderNamespace: "crossplane-system",
	}

	given := defaults
	given.debug, given.poll, given.reconcileRate, given.leaderElection, given.tenantEndpoints = true, time.Minute, 10, true, "none"

	cases := map[string]struct {
		reason string
		args   []string
		want   settings
		err    string
	}{
		"Defaults": {
			reason: "It runs without flags.",
			want:   defaults,
		},
		"Given": {
			reason: "Flags have the names that they have with other providers.",
			args:   []string{"--debug", "--poll=1m", "--max-reconcile-rate", "10", "--leader-election", "--tenant-endpoints=none"},
			want:   given,
		},
		"Argument": {reason: "An argument is a mistake.", args: []string{"true"}, err: `unknown argument "true"`},
		"Poll":     {reason: "No poll without a pause.", args: []string{"--poll=0s"}, err: "--poll must be more than zero"},
		"Sync":     {reason: "Nor a sync.", args: []string{"--sync=-1s"}, err: "--sync must be more than zero"},
		"Rate":     {reason: "A rate of zero would do nothing.", args: []string{"--max-reconcile-rate=0"}, err: "--max-reconcile-rate must be more than zero"},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Setenv("POD_NAMESPACE", "crossplane-system")

			got, err := parse(tc.args)

			text := ""
			if err != nil {
				text, got = err.Error(), settings{}
			}

			if diff := cmp.Diff(tc.err, text); diff != "" {
				t.Errorf("\n%s\nparse(...): -want error, +got error:\n%s", tc.reason, diff)
			}

			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(settings{})); diff != "" {
				t.Errorf("\n%s\nparse(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
