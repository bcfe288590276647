package bucket

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"my-operator.dev/echo/provider/s3"
)

func TestMemoryKnown(t *testing.T) {
	here, there := &s3.Client{}, &s3.Client{}
	cases := map[string]struct {
		reason string
		server *s3.Client
		bucket string
		later  time.Duration
		want   bool
	}{
		"JustMade":    {reason: "What was just done is known.", server: here, bucket: "b", want: true},
		"LongAgo":     {reason: "It may be otherwise by now.", server: here, bucket: "b", later: knownFor + time.Second},
		"OtherServer": {reason: "The resource has another config, or other keys, by now.", server: there, bucket: "b"},
		"OtherBucket": {reason: "The resource has another name by now.", server: here, bucket: "c"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			now := time.Unix(0, 0)
			m := newMemory()
			m.now = func() time.Time { return now }
			m.learn("uid", known{server: here, bucket: "b", exists: true})
			now = now.Add(tc.later)

			_, got := m.recall("uid", tc.server, tc.bucket)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\nrecall(...): -want, +got:\n%s", tc.reason, diff)
			}
			if _, again := m.recall("uid", tc.server, tc.bucket); again {
				t.Errorf("%s\nWhat is known is known once.", tc.reason)
			}
		})
	}
}

func TestMemoryRests(t *testing.T) {
	const field = "corsRules"

	type want struct{ Refused, Lost bool }
	cases := map[string]struct {
		reason string
		do     func(m *memory, pass func(time.Duration))
		want   want
	}{
		"Never":      {reason: "Nothing was written.", do: func(*memory, func(time.Duration)) {}},
		"Written":    {reason: "Two writes may be two changes from outside.", do: func(m *memory, _ func(time.Duration)) { m.wrote("uid", field, 1); m.wrote("uid", field, 1) }},
		"Vain":       {reason: "Three are in vain.", do: func(m *memory, _ func(time.Duration)) { write(m, 3, 1) }, want: want{Lost: true}},
		"Refused":    {reason: "The server said so.", do: func(m *memory, _ func(time.Duration)) { m.refuse("uid", field, 1) }, want: want{Refused: true}},
		"Took":       {reason: "It was seen as it was written in between.", do: func(m *memory, _ func(time.Duration)) { write(m, 2, 1); m.took("uid", field); write(m, 1, 1) }},
		"NewSpec":    {reason: "What was in vain before may not be now.", do: func(m *memory, _ func(time.Duration)) { write(m, 3, 0) }},
		"HourLater":  {reason: "The server may have it by now.", do: func(m *memory, pass func(time.Duration)) { m.refuse("uid", field, 1); pass(restFor + time.Second) }},
		"OnceMore":   {reason: "After the hour it is counted anew.", do: func(m *memory, pass func(time.Duration)) { write(m, 3, 1); pass(restFor + time.Second); write(m, 1, 1) }},
		"Forgotten":  {reason: "The bucket is gone.", do: func(m *memory, _ func(time.Duration)) { m.refuse("uid", field, 1); m.forget("uid") }},
		"OtherField": {reason: "Fields are apart.", do: func(m *memory, _ func(time.Duration)) { m.refuse("uid", "quota", 1) }},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			now := time.Unix(0, 0)
			m := newMemory()
			m.now = func() time.Time { return now }
			tc.do(m, func(d time.Duration) { now = now.Add(d) })

			var got want
			got.Refused, got.Lost = m.rests("uid", field, 1)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s\nrests(...): -want, +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func write(m *memory, times int, generation int64) {
	for range times {
		m.wrote("uid", "corsRules", generation)
	}
}
