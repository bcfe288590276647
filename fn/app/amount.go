package app

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// An Amount of a resource, as Kubernetes writes it: "100m", "64Mi", 1. It is
// handed on as it was written. The zero Amount is none at all.
//
// It is Kubernetes' Quantity with less to it: a Quantity calculates in decimal
// fractions of any size and brings two encodings along, and all that is needed
// here is to tell how many times one amount fits into another.
type Amount string

// UnmarshalJSON reads a string or a number.
func (a *Amount) UnmarshalJSON(b []byte) error {
	s := string(b)

	if strings.HasPrefix(s, `"`) {
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
	}

	*a = Amount(s)
	if _, ok := a.Value(); !ok {
		return fmt.Errorf("must be a quantity such as 100m or 64Mi, got %s", b)
	}

	return nil
}

// Suffixes of amounts, see
// https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/.
var suffixes = map[string]float64{
	"": 1, "n": 1e-9, "u": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18,
	"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40, "Pi": 1 << 50, "Ei": 1 << 60,
}

// Value is the amount as a number; false if it is none.
func (a Amount) Value() (float64, bool) {
	s := string(a)
	if v, err := strconv.ParseFloat(s, 64); err == nil {
		return v, !math.IsInf(v, 0) && !math.IsNaN(v) && !strings.ContainsAny(s, "xXpP_")
	}

	end := strings.LastIndexAny(s, "0123456789.") + 1
	v, err := strconv.ParseFloat(s[:end], 64)
	factor, ok := suffixes[s[end:]]

	return v * factor, ok && err == nil && !strings.ContainsAny(s[:end], "xXpPeE_")
}
