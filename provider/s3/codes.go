package s3

import "net/http"

// classes are those of the codes of S3's errors, of IAM's, and of the administration APIs of MinIO and versitygw.
// Sources: the S3 API reference, "Error responses"; the servers' own tables of errors.
var classes = map[string]Class{
	"NoSuchBucket": NoSuchBucket,

	"NoSuchTagSet":                                   NotConfigured,
	"NoSuchTagSetError":                              NotConfigured,
	"NoSuchBucketPolicy":                             NotConfigured,
	"NoSuchCORSConfiguration":                        NotConfigured,
	"NoSuchConfiguration":                            NotConfigured,
	"NoSuchWebsiteConfiguration":                     NotConfigured,
	"NoSuchLifecycleConfiguration":                   NotConfigured,
	"NoSuchObjectLockConfiguration":                  NotConfigured,
	"NoSuchPublicAccessBlockConfiguration":           NotConfigured,
	"ObjectLockConfigurationNotFoundError":           NotConfigured,
	"XMinioAdminRemoteTargetNotFoundError":           NotConfigured,
	"OwnershipControlsNotFoundError":                 NotConfigured,
	"ReplicationConfigurationNotFoundError":          NotConfigured,
	"ServerSideEncryptionConfigurationNotFoundError": NotConfigured,

	// A key of an encryption is a value in the request, not what is asked for.
	"kms:KeyNotFound": Invalid,

	"NotFound":                   NotFound,
	"NoSuchKey":                  NotFound,
	"NoSuchVersion":              NotFound,
	"NoSuchUpload":               NotFound,
	"NoSuchEntity":               NotFound,
	"XMinioAdminNoSuchUser":      NotFound,
	"XMinioAdminNoSuchPolicy":    NotFound,
	"XMinioAdminNoSuchAccessKey": NotFound,
	"XAdminUserNotFound":         NotFound,

	"NotImplemented":           Unsupported,
	"XNotImplemented":          Unsupported,
	"MethodNotAllowed":         Unsupported,
	"XAdminMethodNotSupported": Unsupported,

	"BucketNotEmpty":          BucketNotEmpty,
	"VersionedBucketNotEmpty": BucketNotEmpty,
	"BucketAlreadyOwnedByYou": AlreadyOwnedByYou,
	"BucketAlreadyExists":     AlreadyExists,
	"EntityAlreadyExists":     AlreadyExists,
	"XAdminUserExists":        AlreadyExists,

	"AccessDenied":          Denied,
	"AccessDeniedException": Denied,
	"AllAccessDisabled":     Denied,
	"Forbidden":             Denied,
	"XAdminAccessDenied":    Denied,

	"InvalidAccessKeyId":          BadCredentials,
	"InvalidClientTokenId":        BadCredentials,
	"SignatureDoesNotMatch":       BadCredentials,
	"InvalidToken":                BadCredentials,
	"ExpiredToken":                BadCredentials,
	"ExpiredTokenException":       BadCredentials,
	"TokenRefreshRequired":        BadCredentials,
	"UnrecognizedClientException": BadCredentials,
	"Unauthorized":                BadCredentials,

	"RequestTimeTooSkewed": ClockSkew,

	"PermanentRedirect":                  WrongRegion,
	"TemporaryRedirect":                  WrongRegion,
	"AuthorizationHeaderMalformed":       WrongRegion,
	"IllegalLocationConstraintException": WrongRegion,
	"InvalidLocationConstraint":          WrongRegion,
	"InvalidRegion":                      WrongRegion,
	"IncorrectEndpoint":                  WrongRegion,

	"OperationAborted":   Conflict,
	"InvalidBucketState": Conflict,
	"DeleteConflict":     Conflict,

	"XMinioIAMPolicyInUse": Conflict,

	"InternalError": ServerFault,

	"SlowDown":                   Throttled,
	"SlowDownRead":               Throttled,
	"SlowDownWrite":              Throttled,
	"ServiceUnavailable":         Throttled,
	"Throttling":                 Throttled,
	"ThrottlingException":        Throttled,
	"TooManyRequests":            Throttled,
	"RequestLimitExceeded":       Throttled,
	"RequestTimeout":             Throttled,
	"XMinioServerNotInitialized": Throttled,
}

// classOfStatus is the class of an answer whose code is not known, or that has none.
func classOfStatus(status int) Class {
	switch status {
	case http.StatusUnauthorized:
		return BadCredentials
	case http.StatusForbidden:
		return Denied
	case http.StatusNotFound:
		return NotFound
	case http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return Unsupported
	case http.StatusConflict:
		return Conflict
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return Throttled
	}
	switch status / 100 {
	case 2:
		return OK
	case 4:
		return Invalid
	case 5:
		return ServerFault
	default:
		return NotS3
	}
}
