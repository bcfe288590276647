package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/provider/s3"
)

func TestCredentials(t *testing.T) {
	type want struct {
		ID, Key, Token, Err string
	}

	cases := map[string]struct {
		reason string
		data   map[string]string
		want   want
	}{
		"Keys": {
			reason: "A pair of keys is enough.",
			data:   map[string]string{"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "k/e+y="},
			want:   want{ID: "id", Key: "k/e+y="},
		},
		"Token": {
			reason: "Temporary keys have a token; other keys of the Secret are not ours.",
			data:   map[string]string{"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "key", "AWS_SESSION_TOKEN": "token", "note": ""},
			want:   want{ID: "id", Key: "key", Token: "token"},
		},
		"LineBreaks": {
			reason: "Nobody means the line break that echo leaves.",
			data:   map[string]string{"AWS_ACCESS_KEY_ID": "id\n", "AWS_SECRET_ACCESS_KEY": " key\r\n"},
			want:   want{ID: "id", Key: "key"},
		},
		"Missing": {
			reason: "All that is missing is named at once.",
			want:   want{Err: "has no AWS_ACCESS_KEY_ID and has no AWS_SECRET_ACCESS_KEY"},
		},
		"Empty": {
			reason: "A key that is there and empty is another mistake.",
			data:   map[string]string{"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "\n"},
			want:   want{Err: "has an empty AWS_SECRET_ACCESS_KEY"},
		},
		"Broken": {
			reason: "What cannot be in a header is refused before it is put there, and not repeated.",
			data:   map[string]string{"AWS_ACCESS_KEY_ID": "id\r\nX-Evil: 1", "AWS_SECRET_ACCESS_KEY": "key"},
			want:   want{Err: "has characters in AWS_ACCESS_KEY_ID that no key has"},
		},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			data := map[string][]byte{}
			for k, v := range tc.data {
				data[k] = []byte(v)
			}

			c, err := credentials(data)

			got := want{ID: c.AccessKeyID, Key: c.SecretAccessKey, Token: c.SessionToken}
			if err != nil {
				got.Err = err.Error()
			}

			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("\n%s\ncredentials(...): -want, +got:\n%s", tc.reason, diff)
			}

			if err != nil && c != (s3.Credentials{}) {
				t.Errorf("\n%s\ncredentials(...): credentials beside an error", tc.reason)
			}
		})
	}
}
