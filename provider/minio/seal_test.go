package minio

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/sha256"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSeal(t *testing.T) {
	cases := map[string]struct {
		reason string
		text   string
		size   int
		err    bool
	}{
		"Text":  {reason: "A server finds the text by the secret.", text: `{"secretKey":"x"}`, size: saltSize + 1 + nonceSize + 17 + 16},
		"Empty": {reason: "Nothing can be sealed too.", size: saltSize + 1 + nonceSize + 16},
		"Full":  {reason: "A full fragment is the last one.", text: string(make([]byte, fragment)), size: saltSize + 1 + nonceSize + fragment + 16},
		"More":  {reason: "More would need a second fragment.", text: string(make([]byte, fragment+1)), err: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := seal("secret", []byte(tc.text))
			if (err != nil) != tc.err {
				t.Fatalf("\n%s\nseal(...): %v", tc.reason, err)
			}
			if tc.err {
				return
			}
			if diff := cmp.Diff(tc.size, len(got)); diff != "" {
				t.Errorf("\n%s\nseal(...): -want, +got size:\n%s", tc.reason, diff)
			}
			if diff := cmp.Diff(tc.text, open(t, "secret", got)); diff != "" {
				t.Errorf("\n%s\nseal(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// open reads a sealed body as the format is described, byte by byte.
func open(t *testing.T, secret string, sealed []byte) string {
	t.Helper()
	key, err := pbkdf2.Key(sha256.New, secret, sealed[:32], 8192, 32)
	if err != nil {
		t.Fatal(err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(byte(2), sealed[32]); diff != "" {
		t.Errorf("the cipher's number: -want, +got:\n%s", diff)
	}
	nonce := make([]byte, 12)
	copy(nonce, sealed[33:41])
	data := aead.Seal([]byte{0x80}, nonce, nil, nil)
	nonce[8] = 1
	text, err := aead.Open(nil, nonce, sealed[41:], data)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
