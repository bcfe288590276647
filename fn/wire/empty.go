package wire

// Empty is true of a Value that says nothing: one that is unset or null, and an empty string, list or object. It does
// not look into what is nested.
func (v Value) Empty() bool {
	if len(v) == 0 {
		return true
	}
	d := newDecoder(len(v), false)
	defer d.free()
	n, err := d.read(v, 0)
	if err != nil {
		return false
	}
	switch n.kind {
	case kindNull:
		return true
	case kindString, kindStruct, kindList:
		return len(n.data) == 0
	default:
		return false
	}
}
