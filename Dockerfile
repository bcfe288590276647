# The runtime image of function-echo, for those who build with Docker or buildah:
#
#   docker build --platform=linux/arm64 -t function-echo .
#
# `make packages` makes the same image without either: same binary, path, user and labels.

ARG GO_IMAGE=golang:1.26

# The compiler runs on the machine's own platform and compiles for the other, which needs no emulator. Docker sets
# BUILDPLATFORM; buildah 1.28 has to be told it to build for another platform: --build-arg BUILDPLATFORM=linux/amd64.
FROM --platform=${BUILDPLATFORM} ${GO_IMAGE} AS build
ARG TARGETARCH
WORKDIR /src
COPY . .
RUN CGO_ENABLED=0 GOOS=linux GOARCH=${TARGETARCH} \
    go build -trimpath -buildvcs=false -tags=grpcnotrace,nethttpomithttp2 "-ldflags=-s -w" -o /function-echo ./fn

FROM scratch
ARG VERSION=v0.1.0
LABEL org.opencontainers.image.title="function-echo" \
      org.opencontainers.image.description="A Crossplane composition function that runs Echoes." \
      org.opencontainers.image.source="https://my-operator.dev/echo" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"
COPY --from=build /function-echo /function-echo
USER 65532:65532
EXPOSE 9443 8080
ENTRYPOINT ["/function-echo"]
