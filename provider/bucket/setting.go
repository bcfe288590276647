package bucket

import (
	"context"
	"net/http"

	"my-operator.dev/echo/apis/storage/v1beta1"
	"my-operator.dev/echo/provider/minio"
	"my-operator.dev/echo/provider/s3"
)

// A setting is something that a bucket can be set to: a field of forProvider and a
// sub-resource of the bucket. Errors are of package s3, or say which field of the
// spec is wrong.
type setting interface {
	// field of forProvider that declares it.
	field() string

	// declared tells whether the spec says anything about it.
	declared(p *v1beta1.BucketParameters) bool

	// same tells whether the bucket is set to what the spec declares.
	same(ctx context.Context, t target, p *v1beta1.BucketParameters) (bool, error)

	// write sets the bucket to what the spec declares.
	write(ctx context.Context, t target, p *v1beta1.BucketParameters) error

	// remove sets the bucket back to what it is by itself. It can be repeated. It
	// deletes a sub-resource only after a read has shown that the server has it: one
	// that does not know it takes the DELETE for that of the bucket.
	remove(ctx context.Context, t target) error
}

// A target is a bucket on a server.
type target struct {
	server *s3.Client

	// admin is the administration API of MinIO, nil on other servers.
	admin *minio.Client

	bucket string

	// tags that the bucket was observed to have.
	tags map[string]string
}

// settings in the order in which they are written: object lock needs versioning, and
// a policy that opens a bucket is refused until its public access block allows it.
func settings() []setting {
	return []setting{
		tagging{},
		versioning{},
		objectLock{},
		encryption{},
		publicAccess{},
		bucketPolicy{},
		lifecycle{},
		cors{},
		quota{},
	}
}

// fields are the names of settings.
func fields(of []setting) []string {
	names := make([]string, 0, len(of))
	for _, s := range of {
		names = append(names, s.field())
	}

	return names
}

// notImplemented is what a server would say that does not have a setting.
func notImplemented() error {
	return s3.NewError(http.StatusNotImplemented, "NotImplemented", "")
}
