package wire

// Bounds of the words that a decoder remembers. Objects of a cluster are full of the same few short words: names of
// kinds and conditions, "True", "False".
const (
	maxWord  = 32
	maxWords = 256
)

// word returns b as a string, of which there is only one for words that keep coming.
func (d *decoder) word(b []byte) string {
	if len(b) > maxWord {
		return string(b)
	}
	if s, ok := d.words[string(b)]; ok {
		return s
	}
	if d.words == nil {
		d.words = make(map[string]string, maxWords)
	}
	if len(d.words) >= maxWords {
		clear(d.words)
	}
	s := string(b)
	d.words[s] = s
	return s
}
