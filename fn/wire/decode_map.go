package wire

import "reflect"

// mapping fills a map of any type whose keys are strings.
func (d *decoder) mapping(t *typeInfo, n *node, into reflect.Value) error {
	if into.IsNil() && n.kind == kindStruct {
		into.Set(reflect.MakeMap(t.rtype))
	}
	box := t.boxes.Get().(*box) //nolint:forcetypeassert // Nothing else is put there.
	err := d.entries(n, func(key string, value []byte) error {
		box.key.SetString(key)
		box.elem.SetZero()
		if err := d.value(t.elem, value, box.elem); err != nil {
			return err
		}
		into.SetMapIndex(box.key, box.elem)
		return nil
	})
	box.free(t)
	return err
}

func (b *box) free(t *typeInfo) {
	b.key.SetZero()
	b.elem.SetZero()
	b.iter.Reset(reflect.Value{})
	t.boxes.Put(b)
}

// stringMap fills what labels, annotations and the data of a ConfigMap are.
func (d *decoder) stringMap(n *node, into reflect.Value) error {
	m := into.Interface().(map[string]string) //nolint:forcetypeassert // The form says so.
	if m == nil && n.kind == kindStruct {
		size, err := d.sizeHint(n)
		if err != nil {
			return err
		}
		m = make(map[string]string, size)
		into.Set(reflect.ValueOf(m))
	}
	return d.entries(n, func(key string, value []byte) error {
		v, err := d.read(value, d.depth)
		if err != nil {
			return err
		}
		switch v.kind {
		case kindString:
			m[key] = string(v.data)
		case kindNull:
			m[key] = ""
		case kindNumber, kindBool, kindStruct, kindList:
			d.expected("a string", &v)
		}
		return nil
	})
}

// sizeHint returns how large to make a map. A struct may have many entries with one key, so it is not trusted beyond
// a size that costs little.
func (d *decoder) sizeHint(n *node) (int, error) {
	const most = 256
	size, err := count(n.data, tagFields)
	return min(size, most), err
}

// entries calls set for each entry of the struct n, in the order of the wire, so that the last of a repeated key has
// the last word. Mistakes in those before it are forgotten, as if they were not there.
func (d *decoder) entries(n *node, set func(key string, value []byte) error) error {
	if n.kind != kindStruct {
		d.expected("an object", n)
		return nil
	}
	if err := d.enter(); err != nil {
		return err
	}
	var last map[string]int // how much of the struct is left after the last entry with that key
	for b := n.data; len(b) > 0; {
		tag, _, data, size := consume(b)
		if size < 0 {
			return malformed(size)
		}
		b = b[size:]
		if tag != tagFields {
			continue
		}
		k, value, err := d.entry(data, d.depth)
		if err != nil {
			return err
		}
		key := string(k)
		before, failures := d.mistakes, d.failures
		d.push(key, isKey)
		if err := set(key, value); err != nil {
			return err
		}
		d.pop()
		if d.failures == failures {
			continue
		}
		if last == nil {
			if last, err = d.lastEntries(n.data); err != nil {
				return err
			}
		}
		if last[key] != len(b) {
			d.mistakes = before
		}
	}
	d.depth--
	return nil
}

func (d *decoder) lastEntries(b []byte) (map[string]int, error) {
	last := map[string]int{}
	for len(b) > 0 {
		tag, _, data, n := consume(b)
		if n < 0 {
			return nil, malformed(n)
		}
		b = b[n:]
		if tag != tagFields {
			continue
		}
		key, _, err := d.entry(data, d.depth)
		if err != nil {
			return nil, err
		}
		last[string(key)] = len(b)
	}
	return last, nil
}

// any returns n as encoding/json would put it into an any.
func (d *decoder) any(n *node) (any, error) {
	switch n.kind {
	case kindNull:
		return nil, nil //nolint:nilnil // That is what null is.
	case kindNumber:
		f, ok := d.finite(n)
		if !ok {
			return nil, nil //nolint:nilnil // The mistake is noted.
		}
		return f, nil
	case kindString:
		return string(n.data), nil
	case kindBool:
		return n.bits != 0, nil
	case kindStruct:
		return d.anyMap(n)
	case kindList:
		return d.anyList(n)
	}
	return nil, nil //nolint:nilnil // There are no other kinds.
}

func (d *decoder) anyMap(n *node) (any, error) {
	size, err := d.sizeHint(n)
	if err != nil {
		return nil, err
	}
	m := make(map[string]any, size)
	err = d.entries(n, func(key string, value []byte) error {
		v, err := d.read(value, d.depth)
		if err != nil {
			return err
		}
		m[key], err = d.any(&v)
		return err
	})
	return m, err
}

func (d *decoder) anyList(n *node) (any, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	size, err := count(n.data, tagValues)
	if err != nil {
		return nil, err
	}
	l := make([]any, 0, size)
	for b := n.data; len(b) > 0; {
		tag, _, data, n := consume(b)
		if n < 0 {
			return nil, malformed(n)
		}
		b = b[n:]
		if tag != tagValues {
			continue
		}
		v, err := d.read(data, d.depth)
		if err != nil {
			return nil, err
		}
		d.push("", len(l))
		elem, err := d.any(&v)
		if err != nil {
			return nil, err
		}
		d.pop()
		l = append(l, elem)
	}
	d.depth--
	return l, nil
}
