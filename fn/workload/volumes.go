package workload

import (
	"fmt"

	"my-operator.dev/echo/fn/app"
)

// fileKey is what a file is called inside its volume, whatever its path.
const fileKey = "file"

// A Volume of a rendered Pod. One of its sources is set.
type Volume struct {
	Name                  string           `json:"name"`
	EmptyDir              *app.EmptyDir    `json:"emptyDir,omitempty"`
	PersistentVolumeClaim *ClaimSource     `json:"persistentVolumeClaim,omitempty"`
	ConfigMap             *ConfigMapSource `json:"configMap,omitempty"`
	Secret                *SecretSource    `json:"secret,omitempty"`
}

// A ClaimSource names a PersistentVolumeClaim.
type ClaimSource struct {
	ClaimName string `json:"claimName"`
}

// A ConfigMapSource names a ConfigMap, and which keys of it to take.
type ConfigMapSource struct {
	Name  string `json:"name"`
	Items []Item `json:"items,omitempty"`
}

// A SecretSource names a Secret, and which keys of it to take.
type SecretSource struct {
	SecretName string `json:"secretName"`
	Items      []Item `json:"items,omitempty"`
}

// An Item is a key, and the file to make of it.
type Item struct {
	Key  string `json:"key"`
	Path string `json:"path"`
}

// A VolumeMount is where a volume appears in a container.
type VolumeMount struct {
	Name      string `json:"name"`
	MountPath string `json:"mountPath"`
	SubPath   string `json:"subPath,omitempty"`
	ReadOnly  bool   `json:"readOnly,omitempty"`
}

// volumes are the volumes of an App and where they are mounted: its files, one
// volume each so that each may stand at any path, and its volumes.
func volumes(a *app.App) ([]Volume, []VolumeMount) {
	var (
		vs []Volume
		ms []VolumeMount
	)

	for i, f := range a.Spec.Files {
		v := file(a, i, f)
		vs = append(vs, v)
		ms = append(ms, VolumeMount{Name: v.Name, MountPath: f.Path, SubPath: fileKey, ReadOnly: true})
	}

	for i, f := range a.Spec.Volumes {
		v := volume(i, f)
		vs = append(vs, v)
		ms = append(ms, VolumeMount{Name: v.Name, MountPath: f.MountPath, SubPath: f.SubPath, ReadOnly: f.ReadOnly})
	}

	return vs, ms
}

func file(a *app.App, i int, f app.File) Volume {
	v := Volume{Name: fmt.Sprintf("file-%d", i)}
	item := func(key string) []Item { return []Item{{Key: key, Path: fileKey}} }

	switch {
	case f.ConfigMap != nil:
		v.ConfigMap = &ConfigMapSource{Name: f.ConfigMap.Name, Items: item(f.ConfigMap.Key)}
	case f.Secret != nil:
		v.Secret = &SecretSource{SecretName: f.Secret.Name, Items: item(f.Secret.Key)}
	default:
		v.ConfigMap = &ConfigMapSource{Name: FilesName(a), Items: item(contentKey(i))}
	}

	return v
}

func volume(i int, f app.Volume) Volume {
	v := Volume{Name: fmt.Sprintf("volume-%d", i)}

	switch {
	case f.PersistentVolumeClaim != "":
		v.PersistentVolumeClaim = &ClaimSource{ClaimName: f.PersistentVolumeClaim}
	case f.ConfigMap != "":
		v.ConfigMap = &ConfigMapSource{Name: f.ConfigMap}
	case f.Secret != "":
		v.Secret = &SecretSource{SecretName: f.Secret}
	default:
		v.EmptyDir = f.EmptyDir
	}

	return v
}
