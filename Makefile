# vcsim. Every target works from a fresh clone with Go, git and make.

GO ?= go

.PHONY: docs layouts pages pictures demo build test lint race gen cosim cosim-full cosim-gates energy mutate mutate-go synth bench fit predictions fuzz-smoke lmc-long clean

# The main job: what a tensor codec buys for training LLaMA-2-7B over 10 Gbps links.
demo: build
	bin/vcsim cluster --model llama2-7b --bw 10Gbps

# One static binary, bin/vcsim.
build:
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/vcsim ./cmd/vcsim

# Everything: installs the tools that the tests call, then runs all tests; none is skipped for a missing tool. The packages that take
# longest begin first, so that none of them is left alone at the end.
test:
	.ci/setup
	VCSIM_REQUIRE_TOOLS=1 $(GO) run ./internal/testrun -count=1 -timeout 60m ./testbench/t264 ./testbench/t265 ./cmd/vcsim ./...

# gofmt, go vet, and staticcheck and unparam at the versions that .ci/tools.mod pins.
lint:
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt would change:" $$unformatted >&2; exit 1; fi
	$(GO) vet ./...
	$(GO) tool -modfile=.ci/tools.mod staticcheck ./...
	$(GO) tool -modfile=.ci/tools.mod unparam ./...
	$(GO) mod verify

# What runs in parallel, under the race detector, which needs a C compiler; CI runs it as one of the tests.
race:
	VCSIM_LONG=1 VCSIM_REQUIRE_TOOLS=1 $(GO) test -count=1 -v -run 'TestRaces$$' ./internal/testrun

# Every benchmark, three times.
bench:
	$(GO) test -run '^$$' -bench . -count 3 $$(git grep -lE '^func Benchmark' -- '*_test.go' | xargs -n1 dirname | sort -u | sed 's|^|./|')

# Fits every set of efficiency constants again, by the command recorded beside it in the presets, and prints it.
fit: build
	@sed -n 's/^ *fitted: "vcsim \(.*\)"$$/\1/p' internal/config/presets/stacks.yaml | while read -r args; do \
	  echo "vcsim $$args"; bin/vcsim $$args || exit 1; echo; \
	done

# Prints how the predictions of all published rows changed against the list that the previous commit carries.
predictions:
	@if ! git show HEAD~1:cmd/vcsim/testdata/predictions.csv > predictions.previous 2>/dev/null; then \
	  rm -f predictions.previous; echo "no list of an earlier commit to compare the predictions with"; exit 0; fi; \
	  $(GO) test ./cmd/vcsim -count 1 -run 'TestPredictions$$' -v -predictions $(CURDIR)/predictions.previous | grep predictions; s=$$?; rm -f predictions.previous; exit $$s

# Writes the tables of the RTL from those in Go.
gen:
	$(GO) generate ./...

# Writes docs/json.md and docs/yaml.md, the layouts of what the program prints and reads. Stale ones fail a test.
layouts:
	$(GO) test -count=1 -run 'TestJSONPage|TestYAMLPage' ./cmd/vcsim -update

# Runs every command line of README.md, CONTRIBUTING.md and docs, those that take minutes too, and compares what the pages show.
pages:
	.ci/setup
	VCSIM_PAGES=all VCSIM_REQUIRE_TOOLS=1 $(GO) test -count=1 -timeout 120m -v -run 'TestPages|TestPageTables|TestPageClaims|TestFullRange|TestReadme' ./cmd/vcsim

# Draws the pictures of README.md and docs, from runs of the models. Stale ones fail a test.
pictures:
	$(GO) run ./internal/pictures docs/pictures

# Every unit against its Verilog in every cycle, and the table of what was compared and covered.
cosim:
	.ci/setup
	@mkdir -p out && rm -f out/cosim.rows
	VCSIM_COSIM=require VCSIM_COSIM_ROWS=$(CURDIR)/out/cosim.rows $(GO) test -count=1 -timeout 60m ./testbench/...
	@$(GO) run ./testbench/table out/cosim.rows

# The same over eight seeds and all planes of the data folder ../shared, where it is there: minutes.
cosim-full:
	.ci/setup
	@mkdir -p out && rm -f out/cosim.rows
	VCSIM_COSIM_FULL=1 VCSIM_COSIM_ROWS=$(CURDIR)/out/cosim.rows $(GO) test -count=1 -timeout 120m ./testbench/...
	@$(GO) run ./testbench/table out/cosim.rows

# The mapped netlists of lanes, pixel paths and tops of both codecs against the clocked models, and faults of single cells: yosys maps some twenty minutes.
cosim-gates:
	.ci/setup
	VCSIM_GATES=1 VCSIM_REQUIRE_TOOLS=1 $(GO) test -count=1 -timeout 120m -run Gate -v ./testbench/t264 ./testbench/t265

# Measures the energy of the tops at gate level on planes of the data folder, into energy/.
energy:
	VCSIM_ENERGY=1 $(GO) test -count=1 -timeout 120m -run TestEnergyData -v ./testbench/t264 ./testbench/t265

# Changes the RTL in every place that the generator of mutants knows; the comparison must notice each, or yosys or a proof say why not: some 8 minutes.
mutate:
	.ci/setup
	VCSIM_MUTATE=1 VCSIM_COSIM=require $(GO) test -count=1 -timeout 60m -run Mutants -v ./testbench/common ./testbench/t264 ./testbench/t265

# Changes Go packages wherever the operators of testbench/mutatego know how; the tests of each package itself must notice 95 of 100.
# SAMPLE=N tries as many of each package, PACKAGES names the folders.
SAMPLE ?= 0
mutate-go:
	$(GO) run ./testbench/mutatego -sample $(SAMPLE) $(PACKAGES)

# Cell area, flip-flops, memories and clock of units and tops, into area/rows.csv; rows whose sources did not change are not run again.
# UNITS holds other arguments, such as -force, -units or the name of a module.
UNITS ?=
synth:
	.ci/setup
	$(GO) run ./area/synth $(UNITS)

# Every fuzz target for a few seconds.
fuzz-smoke:
	@set -e; for file in $$(git grep -lE '^func Fuzz' -- '*_test.go'); do \
	  for name in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/p' $$file); do \
	    echo "$$name ($$(dirname $$file))"; \
	    $(GO) test -run '^$$' -fuzz "^$$name$$" -fuzztime 5s -fuzzminimizetime 1x ./$$(dirname $$file); \
	  done; \
	done

# Every single bit flip, truncation and swap of a corpus of packed snapshots, and packing without holding the file: some two minutes.
lmc-long:
	VCSIM_LMC_LONG=1 $(GO) test -count=1 -timeout 30m -run 'Damage|Swapped|Memory' -v ./internal/lmc

# Man pages and completion scripts, into out/.
docs: build
	bin/vcsim docs out

clean:
	rm -rf bin
