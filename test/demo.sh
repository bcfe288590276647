#!/bin/sh
# Shows the product at work: starts a control plane on loopback, installs the
# packages from a registry with the Crossplane CLI, and then does what a tenant
# would do, printing each command. The control plane stays up.
#
# Needs ECHO_TOOLS, the directory of the built tools, and the packages in dist.
set -eu
cd "$(dirname "$0")/.."

version=${VERSION:-v0.1.0}
registry=xpkg.my-operator.dev
state=.cache/controlplane
team=team-a

say() { printf '\n\033[1m# %s\033[0m\n' "$*"; }
run() {
	printf '$ %s\n' "$*"
	"$@"
}
kubectl() { "$ECHO_TOOLS/kubectl" "$@"; }
crossplane() { "$ECHO_TOOLS/crossplane" "$@"; }

say "A control plane, the packages, and a tenant"
go run ./test/controlplane/cmd/controlplane up --state "$state" \
	--tenant-role echo-edit --tenant-role edit --tenant "$team" \
	--push "$registry/function-echo:$version=dist/function-echo-amd64.xpkg,dist/function-echo-arm64.xpkg" \
	--apply package/install \
	--package "configuration=configuration-echo=$registry/configuration-echo:$version=dist/configuration-echo.xpkg"

admin=$PWD/$state/kubeconfig
export KUBECONFIG="$PWD/$state/$team.kubeconfig"

say "The tenant applies an Echo"
run cat examples/echo/echo.yaml
run kubectl apply -f examples/echo
run kubectl wait --for=condition=Ready echo/test-echo --timeout=2m
run kubectl get echo,pods

say "What it is made of"
KUBECONFIG=$admin run crossplane resource trace echo.my-operator.dev/test-echo -n "$team"

say "The tenant wants one replica"
run kubectl scale echo/test-echo --replicas=1
run kubectl wait --for=jsonpath='{.status.message}'='1/1 replicas ready' echo/test-echo --timeout=2m
run kubectl wait --for=condition=Ready echo/test-echo --timeout=2m
run kubectl get echo,pods

say "It stays up until: make demo-down. To look around, as the tenant or as the administrator:"
printf 'export KUBECONFIG=%s\nexport KUBECONFIG=%s\n' "$KUBECONFIG" "$admin"
