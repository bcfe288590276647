package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "Write the golden files instead of comparing with them.")

// TestGenerate holds all that is generated for the types in testdata/apis against
// files that a person can read, several times over: the parser keeps its types
// in maps, whose order must not show.
func TestGenerate(t *testing.T) {
	for range 3 {
		files := mustGenerate(t, "testdata")
		if *update {
			if err := Write("testdata/golden", files); err != nil {
				t.Fatal(err)
			}
		}
		for _, f := range files {
			want, err := os.ReadFile(filepath.Join("testdata/golden", f.Path))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(f.Content)); diff != "" {
				t.Errorf("%s: -want, +got:\n%s", f.Path, diff)
			}
		}
		stale, err := Stale("testdata/golden", files)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string(nil), stale); diff != "" {
			t.Errorf("Stale(...): -want, +got:\n%s", diff)
		}
	}
}

// TestUpToDate is what --check does for the repository.
func TestUpToDate(t *testing.T) {
	stale, err := Stale("../..", mustGenerate(t, "../.."))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string(nil), stale); diff != "" {
		t.Errorf("out of date, run make generate: -want, +got:\n%s", diff)
	}
}

func TestLoadRefuses(t *testing.T) {
	cases := map[string]struct {
		reason string
		dir    string
		want   string
	}{
		"Unmarked": {
			reason: "A kind that nothing would be written for must not pass in silence.",
			dir:    "./testdata/bad/unmarked",
			want:   "Thing.example.org has none of the markers +echo:composite, +echo:input and +echo:managed",
		},
		"Both": {
			reason: "A kind cannot be a composite and a function's input.",
			dir:    "./testdata/bad/both",
			want:   "Thing.example.org has several of the markers",
		},
		"MisspeltMarker": {
			reason: "A marker with an argument that it does not have is an error with its place in the source.",
			dir:    "./testdata/bad/marker",
			want:   `unknown argument "claim"`,
		},
		"NoPackage": {
			reason: "A directory that is not there is an error.",
			dir:    "./testdata/bad/nowhere",
			want:   "nowhere",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Load(".", tc.dir)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s\nLoad(...): want an error with %q, got: %v", tc.reason, tc.want, err)
			}
		})
	}
}

func TestStaleAndWrite(t *testing.T) {
	files := []File{
		{Path: dirComposites + "/widgets.yaml", Content: []byte(header + "kind: New\n")},
		{Path: fileReference, Content: []byte("# API\n")},
	}
	cases := map[string]struct {
		reason string
		disk   map[string]string
		want   []string
	}{
		"Empty": {
			reason: "What is missing is stale.",
			want:   []string{dirComposites + "/widgets.yaml", fileReference},
		},
		"Differs": {
			reason: "What differs is stale, what does not is not.",
			disk:   map[string]string{dirComposites + "/widgets.yaml": header + "kind: Old\n", fileReference: "# API\n"},
			want:   []string{dirComposites + "/widgets.yaml"},
		},
		"LeftOver": {
			reason: "A generated file of a kind that is gone is stale; one that a person wrote is none of our business.",
			disk: map[string]string{
				dirComposites + "/widgets.yaml":     header + "kind: New\n",
				dirComposites + "/gone.yaml":        header + "kind: Gone\n",
				dirComposites + "/composition.yaml": "kind: Composition\n",
				fileReference:                       "# API\n",
			},
			want: []string{dirComposites + "/gone.yaml"},
		},
		"LeftOverCode": {
			reason: "So is a package whose types need no DeepCopy methods any more.",
			disk: map[string]string{
				dirComposites + "/widgets.yaml":  header + "kind: New\n",
				"apis/gone/v1/" + fileDeepCopy:   headerGo + "package v1\n",
				"apis/person/v1/" + fileDeepCopy: "package v1\n",
				fileReference:                    "# API\n",
			},
			want: []string{"apis/gone/v1/" + fileDeepCopy},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for path, content := range tc.disk {
				at := filepath.Join(root, path)
				if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(at, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}

			got, err := Stale(root, files)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\nStale(...): -want, +got:\n%s", tc.reason, diff)
			}

			if err := Write(root, files); err != nil {
				t.Fatal(err)
			}
			got, err = Stale(root, files)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string(nil), got); diff != "" {
				t.Errorf("%s\nStale(...) after Write(...): -want, +got:\n%s", tc.reason, diff)
			}
			if _, person := tc.disk[dirComposites+"/composition.yaml"]; person {
				if _, err := os.Stat(filepath.Join(root, dirComposites, "composition.yaml")); err != nil {
					t.Errorf("%s\nWrite(...) took what is not its own: %v", tc.reason, err)
				}
			}
		})
	}
}

func TestFirstSentence(t *testing.T) {
	cases := map[string]struct {
		reason, text, want string
	}{
		"Several":      {"Only the first of several sentences stays.", "One is here.\nTwo is not.", "One is here."},
		"Abbreviation": {"A stop before a small letter ends no sentence.", "Some of them, i.e. two. Not more.", "Some of them, i.e. two."},
		"Paragraph":    {"A paragraph ends a sentence without a stop.", "No stop\nat all\n\nSecond. Third.", "No stop at all"},
		"Dotted":       {"A dotted name is no sentence.", "Sets spec.Replicas to 1.5 Times", "Sets spec.Replicas to 1.5 Times"},
		"Empty":        {"No text stays none.", "", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, firstSentence(tc.text)); diff != "" {
				t.Errorf("%s\nfirstSentence(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func mustGenerate(t *testing.T, root string) []File {
	t.Helper()
	files, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	return files
}
