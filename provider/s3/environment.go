package s3

import (
	"cmp"
	"context"
	"os"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/credentials/ec2rolecreds"
	"github.com/aws/aws-sdk-go-v2/credentials/endpointcreds"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/sts"
)

const (
	// environmentTimeout bounds the search for credentials, so that a machine that has none does not hold its callers.
	environmentTimeout = 5 * time.Second
	// environmentPause is for how long a failure to find them is repeated instead.
	environmentPause = 15 * time.Second
	// containerHost serves what AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is relative to, by the ECS documentation.
	containerHost = "http://169.254.170.2"
)

// An environment finds the credentials of the process: keys in variables, else a web identity's role, else those that a
// container is given (ECS, EKS Pod Identity), else those of the machine. These are what a Pod can have. It is the order of
// the SDK's config package, without files of profiles and without SSO, which cost 3 MiB of memory and are for people.
type environment struct {
	mu sync.Mutex
	// source says in plain words where credentials are looked for.
	source   string
	provider aws.CredentialsProvider
	// failed and until are the last failure, and how long it is repeated.
	failed *Error
	until  time.Time
}

// newEnvironment looks at variables only.
func newEnvironment() aws.CredentialsProvider {
	e := &environment{}
	region := cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"), defaultRegion)
	uri := os.Getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI")
	if relative := os.Getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"); relative != "" {
		uri = containerHost + relative
	}
	switch id, key := os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY"); {
	case id != "" && key != "":
		e.source, e.provider = "the variables", credentials.NewStaticCredentialsProvider(id, key, os.Getenv("AWS_SESSION_TOKEN"))
	case os.Getenv("AWS_WEB_IDENTITY_TOKEN_FILE") != "" && os.Getenv("AWS_ROLE_ARN") != "":
		e.source = "the web identity of AWS_WEB_IDENTITY_TOKEN_FILE"
		e.provider = stscreds.NewWebIdentityRoleProvider(sts.New(sts.Options{Region: region}), os.Getenv("AWS_ROLE_ARN"),
			stscreds.IdentityTokenFile(os.Getenv("AWS_WEB_IDENTITY_TOKEN_FILE")),
			func(o *stscreds.WebIdentityRoleOptions) {
				o.RoleSessionName = cmp.Or(os.Getenv("AWS_ROLE_SESSION_NAME"), "provider-echo")
			})
	case uri != "":
		e.source = "the container's credentials endpoint"
		e.provider = endpointcreds.New(uri, func(o *endpointcreds.Options) {
			o.AuthorizationToken = os.Getenv("AWS_CONTAINER_AUTHORIZATION_TOKEN")
			if file := os.Getenv("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"); file != "" {
				// The file's token is renewed, so it is read each time.
				o.AuthorizationTokenProvider = endpointcreds.TokenProviderFunc(func() (string, error) {
					token, err := os.ReadFile(file)
					return string(token), err
				})
			}
		})
	default:
		e.source, e.provider = "the machine's role", ec2rolecreds.New()
	}
	return aws.NewCredentialsCache(e, func(o *aws.CredentialsCacheOptions) { o.ExpiryWindow = 5 * time.Minute })
}

// Retrieve fails with an *Error.
func (e *environment) Retrieve(ctx context.Context) (aws.Credentials, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if time.Now().Before(e.until) {
		return aws.Credentials{}, e.failed
	}
	bounded, cancel := context.WithTimeout(ctx, environmentTimeout)
	defer cancel()
	keys, err := e.provider.Retrieve(bounded)
	if err != nil {
		if ctx.Err() != nil {
			return aws.Credentials{}, &Error{Class: Cancelled, cause: ctx.Err()}
		}
		e.failed = &Error{Class: BadCredentials, cause: err, words: "the provider's environment gives no credentials: looked at " + e.source}
		e.until = time.Now().Add(environmentPause)
		return aws.Credentials{}, e.failed
	}
	return keys, nil
}
