package testbench

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vcsim/sim"
)

// wrongPipe is a vc_pipe that shows a wrong word in one cycle.
type wrongPipe struct {
	in, out sim.Stream[uint64]
	pipe    sim.Pipe[uint64]
	cycle   int
	wrong   int
}

func (m *wrongPipe) Cycle(in, out []uint64) {
	m.in.Valid, m.out.Ready = true, m.cycle%3 != 0
	if m.cycle == 0 || m.pipe.In.Moves() {
		m.in.Data = uint64(m.cycle) & 0xff
	}
	m.pipe.Eval()
	in[0], in[1], in[2] = 1, m.in.Data, 0
	if m.out.Ready {
		in[2] = 1
	}
	clear(out)
	if m.in.Ready {
		out[0] = 1
	}
	if m.out.Valid {
		out[1] = 1
	}
	out[2] = m.out.Data
	if m.cycle == m.wrong {
		out[2] ^= 0x10
	}
	m.pipe.Clock()
	m.cycle++
}

// TestMismatch: a difference is found in its cycle, named with both values, and
// leaves a waveform.
func TestMismatch(t *testing.T) {
	NeedTools(t, "verilator", "g++", "ar")
	u := Unit{
		Top: "vc_pipe", Source: "rtl/common/vc_pipe.v", Binding: "testbench/common/bind/vc_pipe.cpp",
		In:  []Port{{Name: "in_valid_i", Bits: 1}, {Name: "in_data_i", Bits: 8}, {Name: "out_ready_i", Bits: 1}},
		Out: []Port{{Name: "in_ready_o", Bits: 1}, {Name: "out_valid_o", Bits: 1}, {Name: "out_data_o", Bits: 8, Guard: "out_valid_o"}},
	}
	for _, wrong := range []int{1, 5000, -1} {
		set := Set{Params: []Param{{"Width", 8}}, Model: func(Stall, uint64) Model {
			m := &wrongPipe{wrong: wrong}
			m.pipe.In, m.pipe.Out = &m.in, &m.out
			return m
		}}
		exe, err := u.build(set, fast).make()
		if err != nil {
			t.Fatal(err)
		}
		n, err := u.compare(exe, set, Stall{}, 1, 3*batch, 1)
		if wrong < 0 {
			if err != nil || n != 3*batch {
				t.Errorf("no mistake: got %v after %d cycles", err, n)
			}
			continue
		}
		if err == nil || n != wrong {
			t.Fatalf("cycle %d: got %v after %d cycles", wrong, err, n)
		}
		m := regexp.MustCompile(`^cycle (\d+): out_data_o: Go (0x[0-9a-f]+), Verilog (0x[0-9a-f]+); waveform in (.*)$`).FindStringSubmatch(err.Error())
		if m == nil {
			t.Fatalf("cycle %d: got %v", wrong, err)
		}
		dump, err := os.ReadFile(m[4])
		if err != nil || !strings.Contains(string(dump), "out_data_o") {
			t.Errorf("waveform: %v, %d bytes", err, len(dump))
		}
		if !strings.HasPrefix(m[4], filepath.Join(Root(), "out")) {
			t.Errorf("waveform in %s", m[4])
		}
	}
}

func TestComparer(t *testing.T) {
	ports := []Port{{Name: "valid", Bits: 1}, {Name: "data", Bits: 8, Guard: "valid"}}
	loose := []Port{ports[0], {Name: "data", Bits: 8, Guard: "valid", Loose: true}}
	tests := []struct {
		name      string
		random    bool
		want, got []byte
		cycle     int
		diff      string
	}{
		{"equal", true, []byte{0, 0, 1, 2}, []byte{0, 0, 1, 2}, 0, ""},
		{"data before the first valid", true, []byte{0, 0, 1, 2, 0, 2}, []byte{0, 9, 1, 2, 0, 2}, 0, ""},
		{"the same from zero", false, []byte{0, 0, 1, 2}, []byte{0, 9, 1, 2}, 0, "data: Go 0x0, Verilog 0x9"},
		{"data with valid", true, []byte{0, 0, 1, 2}, []byte{0, 9, 1, 3}, 1, "data: Go 0x2, Verilog 0x3"},
		{"data after the first valid", true, []byte{1, 2, 0, 2}, []byte{1, 2, 0, 7}, 1, "data: Go 0x2, Verilog 0x7"},
		{"valid", true, []byte{0, 0}, []byte{1, 0}, 0, "valid: Go 0x0, Verilog 0x1"},
	}
	for _, tt := range tests {
		cycle, diff := newComparer(ports, tt.random).compare(tt.want, tt.got)
		if cycle != tt.cycle || diff != tt.diff {
			t.Errorf("%s: got cycle %d, %q, want %d, %q", tt.name, cycle, diff, tt.cycle, tt.diff)
		}
	}
	for _, random := range []bool{false, true} {
		if cycle, diff := newComparer(loose, random).compare([]byte{1, 2, 0, 0, 1, 3}, []byte{1, 2, 0, 9, 1, 4}); cycle != 2 || diff != "data: Go 0x3, Verilog 0x4" {
			t.Errorf("loose data: cycle %d, %q", cycle, diff)
		}
	}
}
