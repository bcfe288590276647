package workload

import (
	"fmt"
	"strings"

	"my-operator.dev/echo/fn/app"
	"my-operator.dev/echo/fn/wire"
)

// A ConfigMap is a rendered ConfigMap.
type ConfigMap struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Metadata   app.Metadata      `json:"metadata"`
	Immutable  bool              `json:"immutable"`
	Data       map[string]string `json:"data"`
}

// FilesHash names the contents of the files that are written in an App's spec;
// empty if there are none.
func FilesHash(a *app.App) string {
	var b strings.Builder

	for i, f := range a.Spec.Files {
		if f.Content != nil {
			fmt.Fprintf(&b, "%s=%d:%s\n", contentKey(i), len(*f.Content), *f.Content)
		}
	}

	if b.Len() == 0 {
		return ""
	}

	return hash([]byte(b.String()))
}

// FilesName is the name of the ConfigMap with the files that are written in an
// App's spec. It changes with them: so a change is rolled out, and Pods of before
// and after find each their own.
func FilesName(a *app.App) string { return a.Name + "-files-" + FilesHash(a) }

// NewFiles renders the ConfigMap with the files that are written in an App's
// spec.
func NewFiles(a *app.App) *ConfigMap {
	m := a.Named()
	m.Name = FilesName(a)
	c := &ConfigMap{APIVersion: "v1", Kind: "ConfigMap", Metadata: m, Immutable: true, Data: map[string]string{}}

	for i, f := range a.Spec.Files {
		if f.Content != nil {
			c.Data[contentKey(i)] = *f.Content
		}
	}

	return c
}

// KeepFiles renders a ConfigMap that exists and is to stay while Pods of before
// need it. It is immutable, so it is asked for with the data that it has.
func KeepFiles(a *app.App, s wire.Struct) (*ConfigMap, error) {
	var o struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Data map[string]string `json:"data"`
	}

	if err := wire.Unmarshal(s, &o); err != nil {
		return nil, err
	}

	m := a.Named()
	m.Name = o.Metadata.Name

	return &ConfigMap{APIVersion: "v1", Kind: "ConfigMap", Metadata: m, Immutable: true, Data: o.Data}, nil
}

func contentKey(i int) string { return fmt.Sprintf("file-%d", i) }
