package ownership

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
)

const (
	// minName and maxName are S3's bounds of a bucket's name, in characters.
	minName, maxName = 3, 63

	// digestLength is how many characters of base32 a derived name ends in. Ten
	// are 50 bits: among a million buckets the odds of one meeting are below 1 in 2,000.
	digestLength = 10

	// escape goes before a derived name whose namespace begins as AWS's reserved names do.
	escape = "b-"
)

// Names with these beginnings and endings are AWS's own:
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
var (
	reservedPrefixes = []string{"xn--", "sthree-", "amzn-s3-demo-"}
	reservedSuffixes = []string{"-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3"}
)

// DeriveName returns the name on the server of a resource that gives none: its
// namespace and name, so that people recognise it, and a digest of both and of the
// UID, so that no two resources meet, nor a resource and the one of the same name
// before it. The name is always valid.
func DeriveName(namespace, name, uid string) string {
	sum := sha256.Sum256([]byte(namespace + "/" + name + "/" + uid))
	digest := strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:digestLength])

	readable := strings.ReplaceAll(strings.ToLower(namespace+"-"+name), ".", "-")
	if hasAnyPrefix(readable, reservedPrefixes) {
		readable = escape + readable
	}
	if room := maxName - digestLength - len("-"); len(readable) > room {
		readable = readable[:room]
	}

	return strings.TrimRight(readable, "-") + "-" + digest
}

// ValidateName says in plain words why S3 would refuse a name, and returns nil if it
// would not.
func ValidateName(name string) error {
	switch {
	case len(name) < minName || len(name) > maxName:
		return errors.Errorf("a bucket's name has %d to %d characters, and %q has %d", minName, maxName, name, len(name))
	case strings.ContainsFunc(name, outsideAlphabet):
		return errors.Errorf("a bucket's name has lower case letters, digits, dots and hyphens alone, and %q has others", name)
	case !alphanumeric(name[0]) || !alphanumeric(name[len(name)-1]):
		return errors.Errorf("a bucket's name begins and ends with a letter or a digit, and %q does not", name)
	case strings.Contains(name, ".."):
		return errors.Errorf("a bucket's name has no two dots side by side, and %q has", name)
	case isAddress(name):
		return errors.Errorf("a bucket's name is not an IP address, and %q is", name)
	case hasAnyPrefix(name, reservedPrefixes):
		return errors.Errorf("a bucket's name begins with none of %s, and %q does", strings.Join(reservedPrefixes, ", "), name)
	case hasAnySuffix(name, reservedSuffixes):
		return errors.Errorf("a bucket's name ends with none of %s, and %q does", strings.Join(reservedSuffixes, ", "), name)
	}

	return nil
}

func outsideAlphabet(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '.' && r != '-'
}

func alphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
}

// isAddress tells whether a name looks like an IPv4 address, four numbers with dots,
// whether or not the numbers are in range.
func isAddress(name string) bool {
	return strings.Count(name, ".") == 3 && strings.Trim(name, "0123456789.") == ""
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}

	return false
}

func hasAnySuffix(s string, suffixes []string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(s, suffix) {
			return true
		}
	}

	return false
}
