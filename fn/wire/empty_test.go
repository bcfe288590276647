package wire

import "testing"

func TestEmpty(t *testing.T) {
	cases := map[string]struct {
		reason string
		value  any
		want   bool
	}{
		"EmptyString": {reason: "An empty string says nothing.", value: "", want: true},
		"EmptyList":   {reason: "An empty list says nothing.", value: []any{}, want: true},
		"EmptyObject": {reason: "An empty object says nothing.", value: map[string]any{}, want: true},
		"False":       {reason: "False is said on purpose.", value: false},
		"Zero":        {reason: "Zero is said on purpose.", value: 0},
		"String":      {reason: "A string says something.", value: "a"},
		"List":        {reason: "What is nested is not looked into.", value: []any{""}},
		"Object":      {reason: "What is nested is not looked into.", value: map[string]any{"a": map[string]any{}}},
	}

	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s, err := Marshal(map[string]any{"v": tc.value})
			if err != nil {
				t.Fatal(err)
			}

			var got struct {
				V Value `json:"v"`
			}

			if err := Unmarshal(s, &got); err != nil {
				t.Fatal(err)
			}

			if got.V.Empty() != tc.want {
				t.Errorf("\n%s\nwant %t", tc.reason, tc.want)
			}
		})
	}

	if !Value(nil).Empty() {
		t.Error("what is unset says nothing")
	}
}
