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
	--s3 versitygw \
	--push "$registry/function-echo:$version=dist/function-echo-amd64.xpkg,dist/function-echo-arm64.xpkg" \
	--push "$registry/provider-echo:$version=dist/provider-echo-amd64.xpkg,dist/provider-echo-arm64.xpkg" \
	--apply package/install \
	--package "configuration=configuration-echo=$registry/configuration-echo:$version=dist/configuration-echo.xpkg"

admin=$PWD/$state/kubeconfig
export KUBECONFIG="$PWD/$state/$team.kubeconfig"

say "The platform team says where buckets are made, and who may have some"
endpoint=$(sed -n 's/^AWS_ENDPOINT_URL_S3=//p' "$state/versitygw.env")
KUBECONFIG=$admin kubectl create secret generic versitygw --namespace=crossplane-system --from-env-file="$state/versitygw.env"
KUBECONFIG=$admin kubectl apply -f - <<EOF
apiVersion: provider.my-operator.dev/v1beta1
kind: ClusterProviderConfig
metadata: {name: default}
spec:
  endpoint: $endpoint
  identityAPI: Versitygw
  credentials: {source: Secret, secretRef: {namespace: crossplane-system, name: versitygw}}
  allowedNamespaces: {names: [$team]}
EOF

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

say "The tenant wants an app with a bucket"
run cat examples/bucket/echo.yaml
run kubectl apply -f examples/bucket
run kubectl wait --for=condition=Ready echo/shop --timeout=2m
run kubectl get echo,buckets,bucketaccesses,pods
KUBECONFIG=$admin run crossplane resource trace echo.my-operator.dev/shop -n "$team"

say "Its containers have the keys from a Secret that opens this bucket and no other"
run kubectl get pods --selector my-operator.dev/echo=shop \
	-o jsonpath='{range .items[0].spec.containers[0].envFrom[*]}{.secretRef.name}{"\n"}{end}'

say "It stays up until: make demo-down. To look around, as the tenant or as the administrator:"
printf 'export KUBECONFIG=%s\nexport KUBECONFIG=%s\n' "$KUBECONFIG" "$admin"
