package app

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A Bound is a number, or a percentage of the replicas.
type Bound struct {
	n       int
	percent bool
}

// Number is the bound of n.
func Number(n int) Bound { return Bound{n: n} }

// Percent is the bound of n percent of the replicas.
func Percent(n int) Bound { return Bound{n: n, percent: true} }

// maxNumber is the greatest number that a bound may be: four digits, more than
// an Echo can have replicas.
const maxNumber = 9999

// UnmarshalJSON reads 1, "1" or "25%".
func (b *Bound) UnmarshalJSON(doc []byte) error {
	s := string(doc)

	if strings.HasPrefix(s, `"`) {
		if err := json.Unmarshal(doc, &s); err != nil {
			return err
		}
	}

	number, percent := strings.CutSuffix(s, "%")
	n, err := strconv.ParseUint(number, 10, 32)

	if err != nil || n > maxNumber || percent && n > 100 {
		return fmt.Errorf("must be a number or a percentage up to 100%%, got %q", s)
	}

	*b = Bound{n: int(n), percent: percent}

	return nil
}

// MarshalJSON writes 1 or "25%".
func (b Bound) MarshalJSON() ([]byte, error) {
	if b.percent {
		return []byte(`"` + strconv.Itoa(b.n) + `%"`), nil
	}

	return []byte(strconv.Itoa(b.n)), nil
}

// IsZero is true of 0 and 0%.
func (b Bound) IsZero() bool { return b.n == 0 }

// Of is the bound for so many replicas. A percentage is rounded up or down.
func (b Bound) Of(replicas int, up bool) int {
	if !b.percent {
		return b.n
	}

	share := b.n * replicas
	if up {
		share += 99
	}

	return share / 100
}
