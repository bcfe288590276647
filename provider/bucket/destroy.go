package bucket

import (
	"context"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"

	"my-operator.dev/echo/provider/s3"
)

const (
	// emptyFor is how long one reconcile deletes objects. It is less than the minute
	// that a reconcile may take, and other resources wait for their turn meanwhile.
	emptyFor = 30 * time.Second

	// batch is how many versions one call lists, and one call deletes: S3's bound.
	batch = 1000
)

// errEmptying says that there is more to delete than one reconcile does.
var errEmptying = errors.New("there are more objects to delete")

// empty deletes all versions, delete markers and unfinished uploads. It is an
// errEmptying when its time is over: another call goes on where this one stopped,
// since what is deleted is not listed again.
func (e *external) empty(ctx context.Context) error {
	until := time.Now().Add(emptyFor)
	if deadline, ok := ctx.Deadline(); ok && deadline.Add(-emptyFor/2).Before(until) {
		until = deadline.Add(-emptyFor / 2)
	}

	in := &awss3.ListObjectVersionsInput{Bucket: aws.String(e.target.bucket), MaxKeys: aws.Int32(batch)}

	var kept refusals
	deleted := 0
	for {
		page, err := e.target.server.ListObjectVersions(ctx, in)
		if err != nil {
			return s3.Explain(err)
		}

		all := versionsOf(page)
		refused, err := e.deleteAll(ctx, all)
		if err != nil {
			return err
		}
		deleted += len(all) - len(refused)

		// The next page begins where this one began, as what it listed is gone:
		// versitygw lists nothing after a key that is. Only what stays is passed over.
		last := !aws.ToBool(page.IsTruncated)
		if last || len(refused) == len(all) {
			kept.add(refused)
			in.KeyMarker, in.VersionIdMarker = page.NextKeyMarker, page.NextVersionIdMarker
		}
		if last {
			break
		}
		if time.Now().After(until) {
			if deleted == 0 {
				// Going on at once would only list and ask for the same again.
				break
			}
			return errEmptying
		}
	}
	if kept.n > 0 {
		return errors.New(kept.String())
	}

	return e.abortUploads(ctx, until)
}

// versionsOf are all versions and delete markers of a page.
func versionsOf(page *awss3.ListObjectVersionsOutput) []types.ObjectIdentifier {
	all := make([]types.ObjectIdentifier, 0, len(page.Versions)+len(page.DeleteMarkers))
	for _, v := range page.Versions {
		all = append(all, types.ObjectIdentifier{Key: v.Key, VersionId: v.VersionId})
	}
	for _, m := range page.DeleteMarkers {
		all = append(all, types.ObjectIdentifier{Key: m.Key, VersionId: m.VersionId})
	}

	return all
}

// refusals are versions that the server did not delete.
type refusals struct {
	n    int
	code string
}

func (r *refusals) add(more []types.Error) {
	for _, e := range more {
		if r.n == 0 {
			r.code = aws.ToString(e.Code)
		}
		r.n++
	}
}

// String says why versions stay. Under a lock servers answer AccessDenied, as AWS and
// versitygw do, or InvalidRequest, as MinIO does.
func (r *refusals) String() string {
	return fmt.Sprintf("the server does not delete %d of the object versions (%s): they may be under a retention or a legal hold, which has to end first", r.n, r.code)
}

// deleteAll deletes versions with one call, and returns those that the server refused.
func (e *external) deleteAll(ctx context.Context, all []types.ObjectIdentifier) ([]types.Error, error) {
	if len(all) == 0 {
		return nil, nil
	}

	out, err := e.target.server.DeleteObjects(ctx, &awss3.DeleteObjectsInput{
		Bucket: aws.String(e.target.bucket),
		Delete: &types.Delete{Objects: all, Quiet: aws.Bool(true)},
	})
	if err != nil {
		return nil, s3.Explain(err)
	}

	return out.Errors, nil
}

// abortUploads gives up the uploads that were begun and never finished.
func (e *external) abortUploads(ctx context.Context, until time.Time) error {
	in := &awss3.ListMultipartUploadsInput{Bucket: aws.String(e.target.bucket)}

	for {
		page, err := e.target.server.ListMultipartUploads(ctx, in)
		if s3.Is(err, s3.Unsupported) {
			return nil
		}
		if err != nil {
			return s3.Explain(err)
		}

		for _, u := range page.Uploads {
			_, err := e.target.server.AbortMultipartUpload(ctx, &awss3.AbortMultipartUploadInput{
				Bucket: aws.String(e.target.bucket), Key: u.Key, UploadId: u.UploadId,
			})
			if err != nil && !s3.Is(err, s3.NotFound) {
				return s3.Explain(err)
			}
			if time.Now().After(until) {
				return errEmptying
			}
		}

		if !aws.ToBool(page.IsTruncated) {
			return nil
		}
		in.KeyMarker, in.UploadIdMarker = page.NextKeyMarker, page.NextUploadIdMarker
	}
}
