package controlplane

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

const keyCA = "ca.crt"

// ensureCertificates makes the TLS server Secret of a revision's package if there
// is none, signed by Crossplane's root CA as core would have it, and brings the
// process's files in line with it.
func (cp *ControlPlane) ensureCertificates(ctx context.Context, rev *revision, p *packageProcess) error {
	s := &corev1.Secret{}
	key := types.NamespacedName{Namespace: Namespace, Name: rev.serverSecret()}
	err := cp.client.Get(ctx, key, s)
	if kerrors.IsNotFound(err) {
		s, err = cp.createCertificate(ctx, key, p)
	}
	if err != nil {
		return errors.Wrapf(err, "cannot get the certificate of %s", rev.GetName())
	}
	return mountSecret(s, p.certificates)
}

func (cp *ControlPlane) createCertificate(ctx context.Context, key types.NamespacedName, p *packageProcess) (*corev1.Secret, error) {
	root := &corev1.Secret{}
	if err := cp.client.Get(ctx, types.NamespacedName{Namespace: Namespace, Name: secretRootCA}, root); err != nil {
		return nil, errors.Wrap(err, "cannot get Crossplane's root CA")
	}
	ca, err := parseAuthority(pair{cert: root.Data[corev1.TLSCertKey], key: root.Data[corev1.TLSPrivateKeyKey]})
	if err != nil {
		return nil, errors.Wrap(err, "cannot use Crossplane's root CA")
	}
	cert, err := ca.issue(p.pkg, nil, []string{"localhost"})
	if err != nil {
		return nil, err
	}
	s := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name},
		Type:       corev1.SecretTypeOpaque,
		Data: map[string][]byte{
			corev1.TLSCertKey:       cert.cert,
			corev1.TLSPrivateKeyKey: cert.key,
			keyCA:                   ca.pem,
		},
	}
	return s, errors.Wrapf(cp.client.Create(ctx, s), "cannot create Secret %s", key.Name)
}

// mountSecret shows a Secret's keys as files, the way a kubelet does: the files
// are links into a directory that is itself reached by a link, and that link is
// replaced, so that a reader never sees half of a change.
func mountSecret(s *corev1.Secret, dir string) error {
	const data = "..data"
	if isMounted(s, dir) {
		return nil
	}
	version := filepath.Join(dir, fmt.Sprintf("..%d", time.Now().UnixNano()))
	if err := os.MkdirAll(version, 0o700); err != nil {
		return errors.Wrap(err, "cannot make a directory for certificates")
	}
	owned := []string{dir, version}
	for key, value := range s.Data {
		path := filepath.Join(version, key)
		if err := os.WriteFile(path, value, 0o400); err != nil {
			return errors.Wrapf(err, "cannot write %s", key)
		}
		owned = append(owned, path)
		if err := os.Symlink(filepath.Join(data, key), filepath.Join(dir, key)); err != nil && !os.IsExist(err) {
			return errors.Wrapf(err, "cannot link %s", key)
		}
	}
	if uid := int(packageUID()); uid != 0 {
		for _, path := range owned {
			if err := os.Chown(path, uid, uid); err != nil {
				return errors.Wrap(err, "cannot give the certificates to the package's user")
			}
		}
	}

	old, _ := os.Readlink(filepath.Join(dir, data))
	partial := filepath.Join(dir, "..data.partial")
	if err := os.Symlink(filepath.Base(version), partial); err != nil {
		return errors.Wrap(err, "cannot link the certificates")
	}
	if err := os.Rename(partial, filepath.Join(dir, data)); err != nil {
		return errors.Wrap(err, "cannot put the certificates in place")
	}
	if old == "" {
		return nil
	}
	return errors.Wrap(os.RemoveAll(filepath.Join(dir, old)), "cannot remove the old certificates")
}

func isMounted(s *corev1.Secret, dir string) bool {
	for key, value := range s.Data {
		content, err := os.ReadFile(filepath.Join(dir, key))
		if err != nil || !bytes.Equal(content, value) {
			return false
		}
	}
	return true
}
