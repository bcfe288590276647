package identity

import (
	"sync"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"

	"my-operator.dev/echo/apis/provider/v1beta1"
	"my-operator.dev/echo/provider/iam"
	"my-operator.dev/echo/provider/s3"
	"my-operator.dev/echo/provider/versitygw"
)

// ErrNone is returned where the provider config names no identity API.
var ErrNone = errors.New("the provider config names no identity API, so no keys can be made")

// AdminConnection returns the connection to the identity API of a server, from that to its S3 API and from the
// identity endpoint that the provider config names, if it does. Where both are at one endpoint it is the same
// connection, and so the same client.
func AdminConnection(api v1beta1.IdentityAPI, conn s3.Connection, identityEndpoint string) s3.Connection {
	switch {
	case identityEndpoint != "":
		conn.Endpoint = identityEndpoint
	case api == v1beta1.IdentityAWS && conn.Endpoint == "":
		conn.Endpoint, conn.Region = iam.Endpoint(conn.Region)
	}

	return conn
}

// idleFor is how long the users of a server are kept that nobody asks for. A list of them is not good for longer.
const idleFor = time.Minute

// Servers makes Servers of clients, and holds what those of one server share. It is safe for concurrent use.
type Servers struct {
	mu    sync.Mutex
	users map[*s3.Client]*sharedUsers
}

type sharedUsers struct {
	*versitygw.Users

	asked time.Time
}

// NewServers returns an empty Servers.
func NewServers() *Servers { return &Servers{users: map[*s3.Client]*sharedUsers{}} }

// For returns the server whose S3 API the one client is of, and whose identity API the other. It calls nobody.
func (s *Servers) For(api v1beta1.IdentityAPI, bucket, admin *s3.Client) (Server, error) {
	switch api {
	case v1beta1.IdentityAWS:
		return NewAWS(admin, bucket.Region()), nil
	case v1beta1.IdentityMinIO:
		return NewMinIO(admin), nil
	case v1beta1.IdentityVersitygw:
		return NewVersitygw(bucket, s.usersOf(admin)), nil
	case v1beta1.IdentityNone:
		return nil, ErrNone
	default:
		return nil, ErrNone
	}
}

func (s *Servers) usersOf(admin *s3.Client) *versitygw.Users {
	s.mu.Lock()
	defer s.mu.Unlock()

	now := time.Now()

	for client, users := range s.users {
		if client != admin && now.Sub(users.asked) > idleFor {
			delete(s.users, client)
		}
	}

	shared, found := s.users[admin]
	if !found {
		shared = &sharedUsers{Users: versitygw.NewUsers(admin)}
		s.users[admin] = shared
	}

	shared.asked = now

	return shared.Users
}
