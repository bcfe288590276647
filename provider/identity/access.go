package identity

import (
	"crypto/sha256"
	"encoding/base32"
	"slices"
	"strings"

	"my-operator.dev/echo/provider/policy"
)

// In a bucket's policy all owners of equal grants share statements, with their keys as principals. A key's ID tells
// whose it is. So one more key takes 27 bytes of the policy, and not 400: a server that keeps its policies in the
// file system's attributes has 4 KiB for it on ext4, along with the bucket's tags and the rest.

// accessSid is the Sid of the statements of a grant: the mark of ours, what it allows, and 60 bits of its prefix.
func (g Grant) accessSid() string {
	sid := policy.AccessSid + "Read"
	if g.Write {
		sid = policy.AccessSid + "Write"
	}

	if g.Prefix == "" {
		return sid
	}

	const enough = 12

	sum := sha256.Sum256([]byte(g.Prefix))

	return sid + base32.StdEncoding.EncodeToString(sum[:])[:enough]
}

// hasAccess tells whether any key of the owner's is a principal of a statement of ours.
func hasAccess(d policy.Document, o Owner) bool {
	return slices.ContainsFunc(d.Having(policy.AccessSid), func(s policy.Statement) bool {
		return slices.ContainsFunc(s.Principals(), o.has)
	})
}

// withAccess returns a bucket's policy in which the grant is given to these keys of the owner, and no other of ours to
// any key of the owner's. All else stays as it is.
func withAccess(d policy.Document, o Owner, g Grant, ids []string) policy.Document {
	d = keepAccess(d, func(id string) bool { return !o.has(id) })
	if len(ids) == 0 {
		return d
	}

	sid := g.accessSid()
	equal := d.Having(sid)
	// Another grant's Sid may begin like this one: it goes on with a prefix.
	equal = slices.DeleteFunc(equal, func(s policy.Statement) bool { return !isSidOf(s.Sid(), sid) })

	all := slices.Clone(ids)
	for _, s := range equal {
		all = append(all, s.Principals()...)
	}

	slices.Sort(all)

	rest := policy.Document{Version: d.Version, ID: d.ID}
	rest.Statements = slices.DeleteFunc(slices.Clone(d.Statements), func(s policy.Statement) bool { return isSidOf(s.Sid(), sid) })

	return rest.With(g.statements(sid, "aws", slices.Compact(all))...)
}

// isSidOf tells whether a Sid is one of a grant's statements.
func isSidOf(sid, grant string) bool { return sid == grant || sid == grant+listSid }

// keepAccess returns a bucket's policy with those principals of our statements that are to be kept.
func keepAccess(d policy.Document, keep func(id string) bool) policy.Document {
	kept := policy.Document{Version: d.Version, ID: d.ID}

	for _, s := range d.Statements {
		if !strings.HasPrefix(s.Sid(), policy.AccessSid) {
			kept = kept.With(s)
			continue
		}

		before := s.Principals()
		after := slices.DeleteFunc(slices.Clone(before), func(id string) bool { return !keep(id) })

		switch {
		case len(after) == len(before):
			kept = kept.With(s)
		case len(after) > 0:
			kept = kept.With(s.WithPrincipals(after))
		}
	}

	return kept
}
