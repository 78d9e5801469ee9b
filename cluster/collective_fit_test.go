package cluster

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"vcsim/cluster/collective"
)

// plantedCollectives are rows that the constants predict exactly.
func plantedCollectives(t *testing.T, truth *collective.LinkConstants) []Measurement {
	t.Helper()
	var rows []Measurement
	for _, gpu := range []string{"a100-80g", "h100-sxm", "b200", "mi300x"} {
		for _, op := range []string{"all_reduce", "all_gather", "alltoall"} {
			for _, gpus := range []int{8, 64} {
				for _, size := range []float64{1 << 12, 1 << 23, 1 << 33} {
					r := collectiveRow()
					r.ID = fmt.Sprintf("%s-%s-%d-%v", gpu, strings.NewReplacer("_", "").Replace(op), gpus, size)
					r.GPU, r.Collective, r.GPUs, r.Bytes, r.CollectUS = gpu, op, gpus, size, 1
					us, err := r.PredictCollective(truth)
					if err != nil {
						t.Fatal(err)
					}
					r.CollectUS = us
					rows = append(rows, r)
				}
			}
		}
	}
	return rows
}

// The fit finds constants that rows were made with, and leaves the others.
func TestCollectiveFit(t *testing.T) {
	truth := testLinks
	rows := plantedCollectives(t, &truth)
	start := truth
	start.RDMA, start.NVLinkRing, start.RDMAHopUS, start.XGMIExchange, start.Chunk = 0.55, 0.7, 25, 0.5, 2
	free := []string{"rdma", "nvlink_ring", "rdma_hop_us", "xgmi_exchange", "chunk"}
	some, err := FitLinks(rows, start, free)
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range some.All() {
		if want := *truth.All()[i].At; !near(*k.At, want, 0.03) {
			t.Errorf("%s: %v, planted %v", k.Name, *k.At, want)
		}
	}
	// All of them, as far as the rows can tell: they have neither TCPX nor experts.
	all, err := FitLinks(rows, start, nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := []string{"nvlink_ring", "nvlink5_ring", "nvlink_exchange", "nvls", "xgmi_ring", "xgmi_exchange", "rdma", "rdma_exchange", "rdma_hop_us", "network_us", "chunk"}
	prior := collective.PriorLinkConstants()
	for i, k := range all.All() {
		want, tol := *prior.All()[i].At, 0.0
		if slices.Contains(seen, k.Name) {
			want, tol = *truth.All()[i].At, 0.06
		} else if k.Name == "nvls_tree" {
			continue // the network is slower
		}
		if *k.At != want && !near(*k.At, want, tol) {
			t.Errorf("all constants: %s: %v, want %v", k.Name, *k.At, want)
		}
	}
	// What is not named does not move.
	got, err := FitLinks(rows, start, []string{"rdma"})
	if err != nil || got.NVLinkRing != 0.7 || got.RDMAHopUS != 25 || got.RDMA == 0.55 {
		t.Errorf("one constant: %+v, %v", got, err)
	}
	// Rows of unsound fabrics do not count.
	no := false
	for i := range rows {
		if i%2 == 0 {
			bad := rows[i]
			bad.CollectUS *= 3
			bad.Healthy = &no
			rows = append(rows, bad)
		}
	}
	again, err := FitLinks(rows, start, free)
	if err != nil || again != some {
		t.Errorf("with unsound rows: %+v, %v", again, err)
	}
}

// A curve's largest size tells more than all others together, and a curve
// of many sizes no more than one of few.
func TestCollectiveFitWeighs(t *testing.T) {
	row := func(id string, size, us float64) Measurement {
		r := collectiveRow()
		r.ID, r.GPU, r.GPUs, r.Collective, r.Bytes, r.CollectUS = id, "mi300x", 8, "alltoall", size, us
		return r
	}
	at := func(part, size float64) float64 {
		c := testLinks
		c.XGMIExchange = part
		r := row("x-alltoall", size, 1)
		us, err := r.PredictCollective(&c)
		if err != nil {
			t.Fatal(err)
		}
		return us
	}
	fit := func(rows []Measurement) float64 {
		c, err := FitLinks(rows, testLinks, []string{"xgmi_exchange"})
		if err != nil {
			t.Fatal(err)
		}
		return c.XGMIExchange
	}
	// Largest size says 0.8, two smaller ones 0.5.
	one := []Measurement{row("x-alltoall-1", 1<<33, at(0.8, 1<<33)), row("x-alltoall-2", 1<<31, at(0.5, 1<<31)), row("x-alltoall-3", 1<<32, at(0.5, 1<<32))}
	if got := fit(one); !(got > 0.72) {
		t.Errorf("the largest size says 0.8, two others 0.5: %v", got)
	}
	// Three curves of one size against one of six.
	var rows []Measurement
	for i := range 3 {
		rows = append(rows, row(fmt.Sprintf("y%d-alltoall-1", i), 1<<33, at(0.8, 1<<33)))
	}
	for i := range 6 {
		rows = append(rows, row(fmt.Sprintf("z-alltoall-%d", i), float64(int64(1)<<(28+i)), at(0.5, float64(int64(1)<<(28+i)))))
	}
	if got := fit(rows); !(got > 0.7) {
		t.Errorf("three fabrics say 0.8, one says 0.5 six times: %v", got)
	}
}

func TestCollectiveFitRefuses(t *testing.T) {
	rows := plantedCollectives(t, &testLinks)
	bad := testLinks
	bad.RDMA = 7
	no := false
	for _, c := range []struct {
		want  string
		rows  []Measurement
		start collective.LinkConstants
		free  []string
	}{
		{"no rows", nil, testLinks, nil},
		{"no rows", []Measurement{{Healthy: &no}}, testLinks, nil},
		{"rdma is 7", rows, bad, nil},
		{`unknown constant "luck"`, rows, testLinks, []string{"luck"}},
		{"measured collective_us is 0", []Measurement{{Quantity: "collective_us"}}, testLinks, nil},
		{"gpus is 0", []Measurement{{Quantity: "collective_us", CollectUS: 1}}, testLinks, nil},
	} {
		if _, err := FitLinks(c.rows, c.start, c.free); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
	}
	if _, err := CollectiveErrors(nil, testLinks, false, nil); err == nil {
		t.Error("errors of no rows")
	}
	if _, err := CollectiveErrors(rows[:4], testLinks, true, nil); err == nil || !strings.Contains(err.Error(), "one fabric only") {
		t.Errorf("one fabric left out of one: %v", err)
	}
}

// The errors of two fabrics, by hand.
func TestCollectiveErrors(t *testing.T) {
	row := func(id string, size, off float64) Measurement {
		r := collectiveRow()
		r.ID, r.Bytes = id, size
		us, err := r.PredictCollective(&testLinks)
		if err != nil {
			t.Fatal(err)
		}
		r.CollectUS = us / (1 + off)
		return r
	}
	no := false
	ignored := row("a-allreduce-9", 1<<34, 5)
	ignored.Healthy = &no
	rows := []Measurement{
		row("a-allreduce-1", 1<<20, 0.1), row("a-allreduce-2", 1<<21, -0.2), row("a-allreduce-3", 1<<22, 0.4),
		row("a-allreduce-4", 1<<24, 0.05), row("a-allreduce-5", 1<<30, -0.15), row("b-allreduce-1", 1<<30, 0.3), ignored,
	}
	got, err := CollectiveErrors(rows, testLinks, false, nil)
	if err != nil || len(got) != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	for i, want := range []CollectiveError{
		{Fabric: "a", Rows: 5, Small: 0.2, Large: 0.1, Plateau: 0.15, Most: 0.4},
		{Fabric: "b", Rows: 1, Small: math.NaN(), Large: 0.3, Plateau: 0.3, Most: 0.3},
		{Fabric: "all", Rows: 6, Small: 0.2, Large: 0.15, Plateau: 0.3, Most: 0.4},
	} {
		e := got[i]
		same := func(a, b float64) bool { return math.IsNaN(a) && math.IsNaN(b) || near(a, b, 1e-9) }
		if e.Fabric != want.Fabric || e.Rows != want.Rows || !same(e.Small, want.Small) || !same(e.Large, want.Large) ||
			!same(e.Plateau, want.Plateau) || !same(e.Most, want.Most) || !math.IsNaN(e.HeldOut) || !math.IsNaN(e.HeldPlateau) {
			t.Errorf("got %+v, want %+v", e, want)
		}
	}
	// Left out, b is judged by what a says and the other way round.
	a, b := row("a-allgather-1", 1<<33, 0), row("b-allgather-1", 1<<33, 0)
	a.Collective, b.Collective = "all_gather", "all_gather"
	fast, slow := testLinks, testLinks
	fast.RDMA, slow.RDMA = 0.9, 0.6
	a.CollectUS, _ = a.PredictCollective(&fast)
	b.CollectUS, _ = b.PredictCollective(&slow)
	got, err = CollectiveErrors([]Measurement{a, b}, testLinks, true, []string{"rdma"})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.5, 1.0 / 3, (0.5 + 1.0/3) / 2} {
		if !near(got[i].HeldOut, want, 0.03) {
			t.Errorf("%s left out: median %v, want %v", got[i].Fabric, got[i].HeldOut, want)
		}
	}
	if !near(got[0].HeldPlateau, 0.5, 0.03) || !near(got[1].HeldPlateau, 1.0/3, 0.03) || !near(got[2].HeldPlateau, 0.5, 0.03) {
		t.Errorf("largest sizes left out: %v, %v, %v", got[0].HeldPlateau, got[1].HeldPlateau, got[2].HeldPlateau)
	}
	// The size of an expert exchange is that of all copies.
	r := Measurement{Tokens: 100, Hidden: 1000, TopK: 8, Bits: 16}
	if r.size() != 1.6e6 {
		t.Errorf("100 tokens of 1000 values, 8 experts, 16 bits: %v bytes", r.size())
	}
	if median([]float64{3, 1, 2}) != 2 || median([]float64{4, 1, 2, 3}) != 2.5 || !math.IsNaN(median(nil)) {
		t.Error("median")
	}
}
