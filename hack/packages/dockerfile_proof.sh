#!/bin/sh
# Builds the Dockerfile with buildah and shows that its binary is the one in a package, byte for byte.
#
#   make packages && hack/packages/dockerfile_proof.sh dist/function-echo-amd64.xpkg
#
# No image is pulled: the builder's image is made here of this machine's Go, its module cache and a static busybox,
# so the proof works where no registry can be reached. It needs root, and the Debian packages buildah and
# busybox-static. Run it in the root of the repository.
set -eu

xpkg=$1
# dist/function-echo-amd64.xpkg holds function-echo.
name=$(basename "$xpkg" .xpkg)
name=${name%-*}
work=$(mktemp -d)
# A storage of its own, so that no image is left behind on the machine.
buildah() { command buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }
# The module cache is mounted into the builder: whatever is left behind, never delete across a mount.
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 1' INT TERM

builder=$(buildah from scratch)
buildah copy -q "$builder" "$(command -v busybox)" /bin/sh >/dev/null
buildah copy -q "$builder" "$(go env GOROOT)" /usr/local/go >/dev/null
mkdir "$work/tmp"
buildah copy -q "$builder" "$work/tmp" /tmp >/dev/null
buildah config --env PATH=/usr/local/go/bin:/bin --env HOME=/root --env GOMODCACHE=/modules \
    --env GOTOOLCHAIN=local --env GOPROXY=off "$builder"
buildah commit -q "$builder" go-of-this-machine >/dev/null
buildah rm "$builder" >/dev/null

# The platform that the package is for decides what is built.
arch=$(tar -xOf "$xpkg" "$(tar -xOf "$xpkg" manifest.json | sed 's/.*"Config":"\([^"]*\)".*/\1/')" |
    sed 's/.*"architecture":"\([^"]*\)".*/\1/')
buildah bud -q --isolation chroot --pull-never --platform "linux/$arch" \
    --build-arg GO_IMAGE=localhost/go-of-this-machine --build-arg "BUILDPLATFORM=linux/$(go env GOHOSTARCH)" \
    --volume "$(go env GOMODCACHE):/modules:ro" --target "$name" -t "$name" . >/dev/null

image=$(buildah from --pull-never "$name")
mounted=$(buildah mount "$image")
echo "files in the image:   $(cd "$mounted" && find . -type f | tr '\n' ' ')"
echo "configuration:        $(buildah inspect --type image --format \
    '{{.OCIv1.Architecture}} {{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.ExposedPorts}}' "$name")"

layer=$(tar -xOf "$xpkg" manifest.json | sed 's/.*"Layers":\["\([^"]*\)".*/\1/')
tar -xOf "$xpkg" "$layer" | tar -xzf - -C "$work" "$name"
echo "sha256 of the binary: $(sha256sum "$mounted/$name" | cut -d' ' -f1)"
cmp "$work/$name" "$mounted/$name"
echo "The two binaries are the same."
