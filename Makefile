# make alone prints what there is to make.

VERSION ?= v0.1.0
EXAMPLE ?=
RUNS ?= 10000
TRIALS ?= 20

.DEFAULT_GOAL := help
.PHONY: help
help: ## Print this help.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Every target that needs a server or a tool asks for TOOLS, and so builds what
# is not there yet.
tools = ECHO_TOOLS="$$(go run ./hack/toolbuild)" && export ECHO_TOOLS &&

.PHONY: tools
tools: ## Build every tool and server that tests need, into .cache/tools.
	@go run ./hack/toolbuild

.PHONY: demo
demo: packages ## Start a control plane, install the packages, apply an Echo as a tenant would.
	@$(tools) VERSION=$(VERSION) ./test/demo.sh

.PHONY: demo-down
demo-down: ## Stop what demo started.
	@go run ./test/controlplane/cmd/controlplane down

.PHONY: render
render: ## Render all examples, or EXAMPLE=name, with the real CLI and core, without Docker.
	@$(tools) go run ./test/render/cmd/render $(EXAMPLE)

.PHONY: test
test: unit packages ## Run every test, against a real control plane.
	$(tools) go test -p 1 -count=1 -timeout 40m ./test/...

.PHONY: unit
unit: ## Run the tests that need no control plane; seconds.
	go test ./apis/... ./fn/... ./provider/... ./hack/...

.PHONY: model
model: ## Run the function against a model of the cluster, RUNS=10000 random histories.
	go test ./fn -run '^TestModel$$' -count=1 -timeout 60m -rapid.checks=$(RUNS)

.PHONY: faults
faults: packages ## Break what the provider stands on: kills, servers, network, keys; TRIALS=20 of what depends on chance.
	$(tools) go test -v -count=1 -timeout 80m ./test/faults -trials=$(TRIALS)

.PHONY: bench
bench: bench-function bench-provider ## Measure the function and the provider beside their floors.

.PHONY: bench-function
bench-function: ## Measure the function, and write docs/benchmarks.md; five minutes.
	go run ./test/bench

.PHONY: bench-provider
bench-provider: ## Measure the provider, and write docs/benchmarks-provider.md; ten minutes.
	@$(tools) go run ./test/bench/provider

.PHONY: packages
packages: ## Build the packages into dist.
	@$(tools) go run ./hack/packages --tools "$$ECHO_TOOLS" --out dist --version $(VERSION)

.PHONY: generate
generate: ## Write what is generated from the Go types: XRDs, CRDs, API reference, DeepCopy methods.
	go run ./hack/generate

.PHONY: generate-check
generate-check: ## Fail if make generate would change anything.
	go run ./hack/generate --check

.PHONY: lint
lint: ## Lint everything.
	cd hack/tools/lint && CGO_ENABLED=0 go build -o ../../../.cache/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	.cache/golangci-lint run ./...
