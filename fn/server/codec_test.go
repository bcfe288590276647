package server

import "testing"

func TestPool(t *testing.T) {
	cases := map[string]struct {
		reason string
		length int
		want   int
	}{
		"Empty":    {reason: "Something of no length should have a buffer too.", length: 0, want: 32 << 10},
		"Small":    {reason: "What fits the smallest buffer should have it.", length: 20 << 10, want: 32 << 10},
		"Exact":    {reason: "A power of two should fit itself.", length: 64 << 10, want: 64 << 10},
		"OneMore":  {reason: "A byte more should take the next size.", length: 64<<10 + 1, want: 128 << 10},
		"Large":    {reason: "A request just above gRPC's customary limit should be lent a buffer like any other.", length: 4<<20 + 20<<10, want: 8 << 20},
		"TooLarge": {reason: "A longer one should have memory of its own, and no more than it needs.", length: 8<<20 + 1, want: 8<<20 + 1},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p := &pool{}

			b := p.Get(tc.length)
			if len(*b) != tc.length || cap(*b) != tc.want {
				t.Errorf("\n%s\nwant %d bytes of %d, got %d of %d", tc.reason, tc.length, tc.want, len(*b), cap(*b))
			}

			p.Put(b)

			if b = p.Get(tc.length); len(*b) != tc.length || cap(*b) != tc.want {
				t.Errorf("\n%s\nlent again: want %d bytes of %d, got %d of %d", tc.reason, tc.length, tc.want, len(*b), cap(*b))
			}
		})
	}
}
