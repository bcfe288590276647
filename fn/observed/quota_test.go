package observed

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadQuota(t *testing.T) {
	cases := map[string]struct {
		reason string
		quota  string
		scoped bool
		hard   map[string]string
	}{
		"ForAllPods": {
			reason: "Amounts should be read as Kubernetes writes them.",
			quota:  `{spec: {hard: {pods: "10"}}, status: {hard: {pods: "10", requests.cpu: 1500m, requests.memory: "2"}, used: {pods: "3"}}}`,
			hard:   map[string]string{"pods": "10", "requests.cpu": "1500m", "requests.memory": "2"},
		},
		"Scopes": {
			reason: "A quota of a scope does not hold for all Pods.",
			quota:  `{spec: {scopes: [BestEffort]}}`,
			scoped: true,
			hard:   map[string]string{},
		},
		"ScopeSelector": {
			reason: "Nor does one with a selector of scopes.",
			quota:  `{spec: {scopes: [], scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}}}`,
			scoped: true,
			hard:   map[string]string{},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			q, err := ReadQuota(object(t, tc.quota))
			if err != nil {
				t.Fatal(err)
			}

			if q.Scoped() != tc.scoped {
				t.Errorf("\n%s\nwant scoped: %t, got %t", tc.reason, tc.scoped, q.Scoped())
			}

			hard := map[string]string{}
			maps.Copy(hard, q.Status.Hard)

			if diff := cmp.Diff(tc.hard, hard); diff != "" {
				t.Errorf("\n%s\nhard: -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}
