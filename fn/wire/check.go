package wire

import "unicode/utf8"

// check reports whether generated code would accept what is nested in v. It is for what does not get decoded
// because something after it replaces it.
func (v *node) check(depth int) error {
	switch v.kind {
	case kindStruct:
		return checkStruct(v.data, depth)
	case kindList:
		return checkList(v.data, depth)
	case kindNull, kindNumber, kindString, kindBool:
	}
	return nil
}

func checkValue(b []byte, depth int) error {
	return checkFields(b, func(tag uint64, data []byte) error {
		switch tag {
		case tagString:
			if !utf8.Valid(data) {
				return errUTF8
			}
		case tagStruct:
			return checkStruct(data, depth)
		case tagList:
			return checkList(data, depth)
		}
		return nil
	})
}

func checkStruct(b []byte, depth int) error {
	if depth >= maxDepth {
		return errTooDeep
	}
	entry := func(tag uint64, data []byte) error {
		switch {
		case tag == tagKey && !utf8.Valid(data):
			return errUTF8
		case tag == tagValue:
			return checkValue(data, depth+1)
		}
		return nil
	}
	return checkFields(b, func(tag uint64, data []byte) error {
		if tag != tagFields {
			return nil
		}
		return checkFields(data, entry)
	})
}

func checkList(b []byte, depth int) error {
	if depth >= maxDepth {
		return errTooDeep
	}
	return checkFields(b, func(tag uint64, data []byte) error {
		if tag != tagValues {
			return nil
		}
		return checkValue(data, depth+1)
	})
}

func checkFields(b []byte, field func(tag uint64, data []byte) error) error {
	for len(b) > 0 {
		tag, _, data, n := consume(b)
		if n < 0 {
			return malformed(n)
		}
		if err := field(tag, data); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}
