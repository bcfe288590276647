# The runtime images of function-echo and provider-echo, for those who build with Docker or buildah:
#
#   docker build --platform=linux/arm64 --target=function-echo -t function-echo .
#   docker build --platform=linux/arm64 --target=provider-echo -t provider-echo .
#
# `make packages` makes the same images without either: same binary, path, user and labels.

ARG GO_IMAGE=golang:1.26

# The compiler runs on the machine's own platform and compiles for the other, which needs no emulator. Docker sets
# BUILDPLATFORM; buildah 1.28 has to be told it to build for another platform: --build-arg BUILDPLATFORM=linux/amd64.
FROM --platform=${BUILDPLATFORM} ${GO_IMAGE} AS source
ARG TARGETARCH
ENV CGO_ENABLED=0 GOOS=linux GOARCH=${TARGETARCH}
WORKDIR /src
COPY . .

FROM source AS compile-provider
RUN go build -trimpath -buildvcs=false -tags=grpcnotrace "-ldflags=-s -w" -o /provider-echo ./provider

FROM scratch AS provider-echo
ARG VERSION=v0.1.0
LABEL org.opencontainers.image.title="provider-echo" \
      org.opencontainers.image.description="A Crossplane provider of S3 buckets and of keys to them." \
      org.opencontainers.image.source="https://my-operator.dev/echo" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"
COPY --from=compile-provider /provider-echo /provider-echo
USER 65532:65532
EXPOSE 8080 8081
ENTRYPOINT ["/provider-echo"]

FROM source AS compile-function
RUN go build -trimpath -buildvcs=false -tags=grpcnotrace,nethttpomithttp2 "-ldflags=-s -w" -o /function-echo ./fn

FROM scratch AS function-echo
ARG VERSION=v0.1.0
LABEL org.opencontainers.image.title="function-echo" \
      org.opencontainers.image.description="A Crossplane composition function that runs Echoes." \
      org.opencontainers.image.source="https://my-operator.dev/echo" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"
COPY --from=compile-function /function-echo /function-echo
USER 65532:65532
EXPOSE 9443 8080
ENTRYPOINT ["/function-echo"]
