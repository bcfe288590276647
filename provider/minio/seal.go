package minio

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

// The format of encrypted bodies, that of EncryptData in https://github.com/minio/madmin-go/blob/main/encrypt.go:
//
//	32 bytes of salt | 1 byte: the cipher's number | 8 bytes of nonce | fragments
//
// The key is derived from the secret key of whoever signs the request. Fragments are those of
// https://github.com/secure-io/sio-go: each has up to 16 KiB of the text, and a nonce of the 8 bytes and the fragment's
// number as 4 bytes in little endian. Number 0 seals nothing, and its tag goes into the additional data of all
// others: one byte, 0x80 in the last fragment, 0x00 in those before it, then that tag.
//
// All bodies of ours fit into one fragment.
const (
	saltSize  = 32
	nonceSize = 8
	keySize   = 32
	fragment  = 16 << 10

	// pbkdf2AESGCM is the number of PBKDF2 (HMAC-SHA-256) and AES-256-GCM, which any server takes.
	pbkdf2AESGCM = 2
	iterations   = 8192

	first, last = 1, 0x80
)

// seal encrypts a body of at most 16 KiB for a server that knows the secret.
func seal(secret string, text []byte) ([]byte, error) {
	if len(text) > fragment {
		return nil, errors.Errorf("a body of %d bytes does not fit into one fragment", len(text))
	}
	header := make([]byte, saltSize+1+nonceSize)
	// It never fails.
	_, _ = rand.Read(header)
	header[saltSize] = pbkdf2AESGCM
	salt, nonce := header[:saltSize], header[saltSize+1:]

	key, err := pbkdf2.Key(sha256.New, secret, salt, iterations, keySize)
	if err != nil {
		return nil, errors.New("cannot derive a key from the secret access key")
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, errors.New("cannot encrypt the request")
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, errors.New("cannot encrypt the request")
	}
	tag := aead.Seal(nil, numbered(nonce, 0), nil, nil)
	data := append([]byte{last}, tag...)
	return aead.Seal(slices.Clip(header), numbered(nonce, first), text, data), nil
}

// numbered is the nonce of one fragment.
func numbered(nonce []byte, number uint32) []byte {
	return binary.LittleEndian.AppendUint32(slices.Clone(nonce), number)
}
