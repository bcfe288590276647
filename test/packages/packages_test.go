package packages

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// version is what the tests build the packages as. It is not the default, to see that it is heeded.
const version = "v1.2.3"

// dist is where TestMain has had the packages built. Building takes a minute, so all tests share it.
var dist string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

// run builds the packages and runs the tests on them.
func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "echo-dist-")
	if err != nil {
		os.Stderr.WriteString("cannot make folder for packages: " + err.Error() + "\n")
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()

	if err := build(dir); err != nil {
		os.Stderr.WriteString("cannot build packages: " + err.Error() + "\n")
		return 1
	}
	dist = dir
	return m.Run()
}

// build builds all packages into the given folder, as `make packages` does.
func build(out string) error {
	tools, ok := os.LookupEnv("ECHO_TOOLS")
	if !ok {
		return errors.New("the environment variable ECHO_TOOLS must name the folder of the Crossplane CLI; `make test` sets it")
	}
	cmd := exec.CommandContext(context.Background(), "go", "run", "./hack/packages", "--tools", tools, "--out", out, "--version", version)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return cmd.Run()
}

func TestContents(t *testing.T) {
	provider := []string{
		"meta.pkg.crossplane.io/v1 Provider provider-echo",
		"apiextensions.k8s.io/v1 CustomResourceDefinition buckets.storage.my-operator.dev",
		"apiextensions.k8s.io/v1 CustomResourceDefinition bucketaccesses.storage.my-operator.dev",
		"apiextensions.k8s.io/v1 CustomResourceDefinition providerconfigs.provider.my-operator.dev",
		"apiextensions.k8s.io/v1 CustomResourceDefinition clusterproviderconfigs.provider.my-operator.dev",
		"apiextensions.k8s.io/v1 CustomResourceDefinition providerconfigusages.provider.my-operator.dev",
	}
	cases := map[string]struct {
		reason string
		want   []string
	}{
		"provider-echo-amd64.xpkg": {
			reason: "The provider carries the schemas of its resources and configs.",
			want:   provider,
		},
		"provider-echo-arm64.xpkg": {
			reason: "What the provider carries does not depend on the platform.",
			want:   provider,
		},
		"function-echo-amd64.xpkg": {
			reason: "The function carries the schema of its input and nothing else.",
			want: []string{
				"meta.pkg.crossplane.io/v1 Function function-echo",
				"apiextensions.k8s.io/v1 CustomResourceDefinition inputs.echo.fn.my-operator.dev",
			},
		},
		"function-echo-arm64.xpkg": {
			reason: "What the function carries does not depend on the platform.",
			want: []string{
				"meta.pkg.crossplane.io/v1 Function function-echo",
				"apiextensions.k8s.io/v1 CustomResourceDefinition inputs.echo.fn.my-operator.dev",
			},
		},
		"configuration-echo.xpkg": {
			reason: "The configuration defines Echo as a namespaced composite.",
			want: []string{
				"meta.pkg.crossplane.io/v1 Configuration configuration-echo",
				"apiextensions.crossplane.io/v2 CompositeResourceDefinition echoes.my-operator.dev",
				"apiextensions.crossplane.io/v1 Composition echoes.my-operator.dev",
			},
		},
		"configuration-echo-claims.xpkg": {
			reason: "The configuration for claims defines XEcho, which has a claim Echo.",
			want: []string{
				"meta.pkg.crossplane.io/v1 Configuration configuration-echo-claims",
				"apiextensions.crossplane.io/v1 CompositeResourceDefinition xechoes.my-operator.dev",
				"apiextensions.crossplane.io/v1 Composition xechoes.my-operator.dev",
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			inPackage := objects(t, readImage(t, filepath.Join(dist, name)))
			got := make([]string, 0, len(inPackage))
			for _, o := range inPackage {
				got = append(got, o.APIVersion+" "+o.Kind+" "+o.Metadata.Name)
			}
			sorted := cmpopts.SortSlices(func(a, b string) bool { return a < b })
			if diff := cmp.Diff(tc.want, got, sorted); diff != "" {
				t.Errorf("%s\npackage.yaml: -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestDefaultComposition(t *testing.T) {
	for _, name := range []string{"configuration-echo.xpkg", "configuration-echo-claims.xpkg"} {
		t.Run(name, func(t *testing.T) {
			var want, got string
			for _, o := range objects(t, readImage(t, filepath.Join(dist, name))) {
				switch o.Kind {
				case "Composition":
					want = o.Metadata.Name + " of " + o.Spec.CompositeTypeRef.Kind
				case "CompositeResourceDefinition":
					got = o.Spec.DefaultCompositionRef.Name + " of " + o.Spec.Names.Kind
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("An Echo that names no Composition must find the package's own.\n-composition, +definition's default:\n%s", diff)
			}
		})
	}
}

// TestDependencies says what Crossplane installs along with a configuration.
func TestDependencies(t *testing.T) {
	want := []dependency{
		{APIVersion: "pkg.crossplane.io/v1", Kind: "Function", Package: "xpkg.my-operator.dev/function-echo", Version: ">=v0.1.0"},
		{APIVersion: "pkg.crossplane.io/v1", Kind: "Provider", Package: "xpkg.my-operator.dev/provider-echo", Version: ">=v0.1.0"},
	}
	for _, name := range []string{"configuration-echo.xpkg", "configuration-echo-claims.xpkg"} {
		t.Run(name, func(t *testing.T) {
			for _, o := range objects(t, readImage(t, filepath.Join(dist, name))) {
				if o.Kind != "Configuration" {
					continue
				}
				if diff := cmp.Diff(want, o.Spec.DependsOn); diff != "" {
					t.Errorf("An Echo needs the function, and for its buckets the provider.\n-want, +got:\n%s", diff)
				}
			}
		})
	}
}

// TestSafeStart holds the provider to what it can do: without the capability
// Crossplane makes all of its kinds at once, wanted or not.
func TestSafeStart(t *testing.T) {
	for _, o := range objects(t, readImage(t, filepath.Join(dist, "provider-echo-amd64.xpkg"))) {
		if o.Kind != "Provider" {
			continue
		}
		if diff := cmp.Diff([]string{"safe-start"}, o.Spec.Capabilities); diff != "" {
			t.Errorf("capabilities: -want, +got:\n%s", diff)
		}
	}
}

func TestRuntimeImage(t *testing.T) {
	type runtime struct {
		description string
		ports       map[string]struct{}
	}
	runtimes := map[string]runtime{
		"function-echo": {
			description: "A Crossplane composition function that runs Echoes.",
			ports:       map[string]struct{}{"9443/tcp": {}, "8080/tcp": {}},
		},
		"provider-echo": {
			description: "A Crossplane provider of S3 buckets and of keys to them.",
			ports:       map[string]struct{}{"8080/tcp": {}, "8081/tcp": {}},
		},
	}
	cases := map[string]struct {
		reason  string
		name    string
		arch    string
		machine elf.Machine
	}{
		"FunctionAMD64": {reason: "An amd64 node pulls an image of its platform.", name: "function-echo", arch: "amd64", machine: elf.EM_X86_64},
		"FunctionARM64": {reason: "An arm64 node pulls an image of its platform.", name: "function-echo", arch: "arm64", machine: elf.EM_AARCH64},
		"ProviderAMD64": {reason: "An amd64 node pulls an image of its platform.", name: "provider-echo", arch: "amd64", machine: elf.EM_X86_64},
		"ProviderARM64": {reason: "An arm64 node pulls an image of its platform.", name: "provider-echo", arch: "arm64", machine: elf.EM_AARCH64},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			img := readImage(t, filepath.Join(dist, tc.name+"-"+tc.arch+".xpkg"))

			want := imageConfig{Architecture: tc.arch, OS: "linux"}
			want.Config.User = "65532:65532"
			want.Config.Entrypoint = []string{"/" + tc.name}
			want.Config.ExposedPorts = runtimes[tc.name].ports
			want.Config.Labels = map[string]string{
				"org.opencontainers.image.title":       tc.name,
				"org.opencontainers.image.description": runtimes[tc.name].description,
				"org.opencontainers.image.source":      "https://my-operator.dev/echo",
				"org.opencontainers.image.licenses":    "Apache-2.0",
				"org.opencontainers.image.version":     version,
			}
			packageLabels := cmpopts.IgnoreMapEntries(func(k, _ string) bool { return strings.HasPrefix(k, baseLabel) })
			if diff := cmp.Diff(want, img.Config, packageLabels); diff != "" {
				t.Errorf("%s\nconfiguration: -want, +got:\n%s", tc.reason, diff)
			}

			files := map[string]int64{}
			for name, f := range img.Layers[0].Files {
				files[name] = f.Mode
			}
			if diff := cmp.Diff(map[string]int64{tc.name: 0o755}, files); diff != "" {
				t.Errorf("The image must hold the executable and nothing else.\nfiles and modes: -want, +got:\n%s", diff)
			}
			checkStatic(t, img.Layers[0].Files[tc.name].Content, tc.machine)
		})
	}
}

func TestReproducible(t *testing.T) {
	again := t.TempDir()
	if err := build(again); err != nil {
		t.Fatalf("cannot build packages again: %v", err)
	}
	first, second := readFiles(t, dist), readFiles(t, again)
	for name := range first {
		if !bytes.Equal(first[name], second[name]) {
			t.Errorf("The same sources must give the same bytes: %s differs between two builds", name)
		}
	}
	if len(first) != 6 || len(second) != 6 {
		t.Errorf("built %d and %d files, want 6 each time", len(first), len(second))
	}
}

// checkStatic fails the test unless b is an executable for the machine that needs no other file to run.
func checkStatic(t *testing.T, b []byte, machine elf.Machine) {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(b))
	if err != nil {
		t.Fatalf("cannot read executable: %v", err)
	}
	if diff := cmp.Diff(machine, f.Machine); diff != "" {
		t.Errorf("machine: -want, +got:\n%s", diff)
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the executable wants a dynamic linker, which a scratch image has not")
		}
	}
}

// readFiles returns the content of each file in a folder.
func readFiles(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatalf("cannot list packages: %v", err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatalf("cannot read package: %v", err)
		}
		files[e.Name()] = b
	}
	return files
}
