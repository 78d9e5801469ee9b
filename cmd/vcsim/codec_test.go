package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vcsim/internal/peertest"
	"vcsim/internal/tensor"
)

const mixedTensors = "../../internal/tensorcodec/testdata/mixed.safetensors"

// gaussianPGM writes a plane of Gaussian codes and returns its path and samples.
func gaussianPGM(t *testing.T, w, h int) (string, []byte) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(w), uint64(h)))
	pix := make([]byte, w*h)
	for i := range pix {
		pix[i] = byte(max(0, min(255, 128+28*rng.NormFloat64())))
	}
	path := filepath.Join(t.TempDir(), fmt.Sprintf("p%dx%d.pgm", w, h))
	if err := os.WriteFile(path, append(tensor.AppendPGM(nil, w, h), pix...), 0o666); err != nil {
		t.Fatal(err)
	}
	return path, pix
}

// encodeJSON is what scripts read of `encode --json`.
type encodeJSON struct {
	Schema       string
	BitsPerValue float64  `json:"bits_per_value"`
	MSE          float64  `json:"mse"`
	NMSE         *float64 `json:"nmse_db"`
	PSNR         *float64 `json:"psnr_db"`
	Bins         struct{ Regular, Bypass float64 }
	BinsPerValue struct{ Regular, Bypass float64 } `json:"bins_per_value"`
	Speed        float64                           `json:"encode_mvalues_per_s"`
	Values       int
	Note         string
	Tensors      []struct {
		Name  string
		Bytes int
		Note  string
	}
}

// mustEncode runs encode --json and checks the rate against the size of the file.
func mustEncode(t *testing.T, in, out string, args ...string) encodeJSON {
	t.Helper()
	stdout, stderr, code := execute(t, append([]string{"encode", in, "-o", out, "--json"}, args...)...)
	if code != 0 {
		t.Fatalf("encode %s %v: exit %d: %s", in, args, code, stderr)
	}
	var j encodeJSON
	if err := json.Unmarshal([]byte(stdout), &j); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(out)
	if err != nil {
		t.Fatal(err)
	}
	if want := 8 * float64(st.Size()) / float64(j.Values); math.Abs(j.BitsPerValue-want) > 1e-9 || j.Schema != "vcsim.encode/1" || j.Speed <= 0 {
		t.Errorf("encode %s %v: %+v, the file has %g bits a value", in, args, j, want)
	}
	return j
}

func mustDecode(t *testing.T, in, out string, args ...string) []byte {
	t.Helper()
	if _, stderr, code := execute(t, append([]string{"decode", in, "-o", out}, args...)...); code != 0 {
		t.Fatalf("decode %s %v: exit %d: %s", in, args, code, stderr)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func meanSquared(a, b []byte) float64 {
	sum := 0.0
	for i := range a {
		e := float64(a[i]) - float64(b[i])
		sum += e * e
	}
	return sum / float64(len(a))
}

func TestEncodeDecodePlane(t *testing.T) {
	path, pix := gaussianPGM(t, 300, 270)
	dir := t.TempDir()
	out := filepath.Join(dir, "o.265")
	for _, tt := range []struct{ args, decode string }{
		{"--qp 27", ""}, {"--qp 22.3 --tier rdo", ""}, {"--lossless", ""}, {"--bits 2", ""}, {"--mse 40", ""}, {"--qp 30 --off rdoq,sdh --ctu 32", ""},
		{"--qp 20 --frame 128x64", "--size 300x270"}, {"--qp 51 --workers 1", ""}, {"--bits 7.5", ""},
	} {
		j := mustEncode(t, path, out, strings.Fields(tt.args)...)
		got := mustDecode(t, out, filepath.Join(dir, "d.raw"), strings.Fields(tt.decode)...)
		if len(got) != len(pix) {
			t.Fatalf("%s: %d samples, want %d", tt.args, len(got), len(pix))
		}
		if mse := meanSquared(pix, got); math.Abs(mse-j.MSE) > 1e-9*mse {
			t.Errorf("%s: MSE %g, encode said %g", tt.args, mse, j.MSE)
		}
		switch {
		case strings.Contains(tt.args, "--bits 2") && math.Abs(j.BitsPerValue-2) > 0.02:
			t.Errorf("%s: %g bits a value", tt.args, j.BitsPerValue)
		case strings.Contains(tt.args, "--bits 7.5") && j.BitsPerValue < 7.4 && !strings.Contains(j.Note, "cannot be reached"):
			t.Errorf("%s: %g bits a value, note %q", tt.args, j.BitsPerValue, j.Note)
		case strings.Contains(tt.args, "--mse") && (j.MSE > 40 || j.MSE < 38):
			t.Errorf("%s: MSE %g", tt.args, j.MSE)
		case strings.Contains(tt.args, "--lossless") && (j.MSE != 0 || j.PSNR != nil):
			t.Errorf("%s: %+v", tt.args, j)
		}
		if j.BinsPerValue.Regular <= 0 || j.BinsPerValue.Bypass <= 0 {
			t.Errorf("%s: bins %+v", tt.args, j.BinsPerValue)
		}
	}
	pgm := mustDecode(t, out, filepath.Join(dir, "d.pgm"))
	if _, _, got, err := tensor.ParsePGM(pgm, "d.pgm"); err != nil || len(got) != len(pix) {
		t.Errorf("pgm: %d samples, %v", len(got), err)
	}
	npy := mustDecode(t, out, filepath.Join(dir, "d.npy"))
	if info, _, err := tensor.ParseNPY(npy, "d.npy"); err != nil || fmt.Sprint(info.Shape) != "[270 300]" {
		t.Errorf("npy: %v, %v", info, err)
	}
	raw := filepath.Join(dir, "p.raw")
	if err := os.WriteFile(raw, pix, 0o666); err != nil {
		t.Fatal(err)
	}
	out2 := filepath.Join(dir, "p.265")
	mustEncode(t, raw, out2, "--size", "300x270", "--bits", "7.5")
	a, _ := os.ReadFile(out)
	if b, err := os.ReadFile(out2); err != nil || !bytes.Equal(a, b) {
		t.Errorf("a raw plane gives another stream than a PGM: %v", err)
	}
}

// ffmpeg decodes what encode writes, frames included.
func TestEncodeAgainstFFmpeg(t *testing.T) {
	peertest.Players(t, peertest.H265)
	path, _ := gaussianPGM(t, 200, 130)
	dir := t.TempDir()
	out := filepath.Join(dir, "o.265")
	for _, args := range []string{"--qp 27", "--bits 2.5 --tier rdo", "--lossless", "--qp 25 --frame 96x64"} {
		mustEncode(t, path, out, strings.Fields(args)...)
		ours := mustDecode(t, out, filepath.Join(dir, "ours.raw"))
		stream, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		peertest.Check(t, args, peertest.H265, 200, stream, ours)
	}
}

func TestEncodeDecodeTensors(t *testing.T) {
	dir := t.TempDir()
	out, back := filepath.Join(dir, "c.safetensors"), filepath.Join(dir, "d.safetensors")
	src, err := tensor.OpenSafetensors(mixedTensors)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for _, args := range []string{
		"", "--bits 4 --quant channel --rotate", "--quant group64 --asym --tier rdo --mse 1e-4", "--lossless", "--budget 3 --center", "--qp 30 --residual qp20 --rotate=rows",
		"--tensor *gate_proj* --keep --frame 64x32 --clip 6",
	} {
		j := mustEncode(t, mixedTensors, out, strings.Fields(args)...)
		mustDecode(t, out, back)
		d, err := tensor.OpenSafetensors(back)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprint(d.Tensors()), fmt.Sprint(src.Tensors()); got != want {
			t.Errorf("%q: tensors %v, want %v", args, got, want)
		}
		if len(j.Tensors) != len(src.Tensors()) {
			t.Errorf("%q: %d tensors reported", args, len(j.Tensors))
		}
		d.Close()
	}
	npy := mustDecode(t, out, filepath.Join(dir, "x.npy"), "--tensor", "*k_cache")
	if info, _, err := tensor.ParseNPY(npy, "x"); err != nil || info.DType != tensor.F32 || fmt.Sprint(info.Shape) != "[1 64 128]" {
		t.Errorf("npy: %v, %v", info, err)
	}
	stream := mustDecode(t, out, filepath.Join(dir, "x.265"), "--tensor", "*gate_proj*")
	if len(stream) < 100 {
		t.Errorf("stream of %d bytes", len(stream))
	}
	if got := mustDecode(t, filepath.Join(dir, "x.265"), filepath.Join(dir, "x.raw"), "--size", "160x96"); len(got) != 160*96 {
		t.Errorf("codes: %d", len(got))
	}
	mustEncode(t, filepath.Join(dir, "x.npy"), out, "--bits", "5")
	if stdout, _, code := execute(t, "inspect", out); code != 0 || !strings.Contains(stdout, "codec=t265") {
		t.Errorf("inspect: exit %d, %s", code, stdout)
	}
	if _, stderr, code := execute(t, "inspect", filepath.Join(dir, "x.265"), "--tensor", "x"); code != 2 || !strings.Contains(stderr, "--tensor is of a container") {
		t.Errorf("inspect of a stream with --tensor: exit %d, %s", code, stderr)
	}
	if stdout, _, code := execute(t, "inspect", out, "--tensor", "x"); code != 0 || !strings.Contains(stdout, "sig_coeff_flag") {
		t.Errorf("inspect --tensor: exit %d, %s", code, stdout)
	}
}

// A flat tensor costs what the same values cost as a matrix; integers are copied unless asked for; a frame larger than the
// input is no larger than it.
func TestEncodeFolds(t *testing.T) {
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 1))
	x := make([]float32, 1<<16)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	write := func(name string, info tensor.Info, data []byte) string {
		head, err := tensor.SafetensorsHeader([]tensor.Info{info}, nil)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, append(head, data...), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	data, err := tensor.Encode(nil, tensor.F32, x)
	if err != nil {
		t.Fatal(err)
	}
	flat := write("flat.safetensors", tensor.Info{Name: "x", DType: tensor.F32, Shape: []int{1 << 16}}, data)
	out := filepath.Join(dir, "o.safetensors")
	for args, worst := range map[string]float64{"": -15, "--codec t264": -15, "--frame 1024x1024": -15, "--fold 512": -15, "--quant channel": -13, "--fold none": 0} {
		j := mustEncode(t, flat, out, append(strings.Fields(args), "--bits", "3")...)
		if math.Abs(j.BitsPerValue-3) > 0.03 || *j.NMSE > worst {
			t.Errorf("%s: %g bits a value at %g dB, want 3 at %g", args, j.BitsPerValue, *j.NMSE, worst)
		}
		if b := mustDecode(t, out, filepath.Join(dir, "d.safetensors")); len(b) != len(data)+72 && !bytes.Contains(b, []byte("[65536]")) {
			t.Errorf("%s: %d bytes come back", args, len(b))
		}
	}
	ids := write("ids.safetensors", tensor.Info{Name: "ids", DType: tensor.U8, Shape: []int{256, 256}}, data[:1<<16])
	if j := mustEncode(t, ids, out, "--qp", "30"); j.MSE != 0 || !strings.Contains(j.Tensors[0].Note, "--integers") {
		t.Errorf("integers: %+v", j)
	}
	for _, args := range []string{"--integers", "--tensor ids"} {
		if j := mustEncode(t, ids, out, append(strings.Fields(args), "--qp", "30")...); j.MSE == 0 {
			t.Errorf("integers with %s: %+v", args, j)
		}
	}
	pgm, _ := gaussianPGM(t, 64, 48)
	small, large := filepath.Join(dir, "s.265"), filepath.Join(dir, "l.265")
	mustEncode(t, pgm, small, "--qp", "30")
	mustEncode(t, pgm, large, "--qp", "30", "--frame", "1024x1024")
	a, _ := os.ReadFile(small)
	if b, err := os.ReadFile(large); err != nil || !bytes.Equal(a, b) {
		t.Errorf("a frame larger than the plane: %d bytes, %d without, %v", len(b), len(a), err)
	}
}

func TestCodecUsageErrors(t *testing.T) {
	pgm, _ := gaussianPGM(t, 32, 32)
	dir := t.TempDir()
	file := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	nan, err := tensor.SafetensorsHeader([]tensor.Info{{Name: "bad.weight", DType: tensor.F32, Shape: []int{1, 2}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	nanFile := file("nan.safetensors", append(nan, 0, 0, 0x80, 0x3f, 0, 0, 0xc0, 0x7f))
	good := filepath.Join(dir, "good.safetensors")
	mustEncode(t, mixedTensors, good)
	b, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	short := file("short.safetensors", b[:len(b)-1])
	b[len(b)-100] ^= 4
	flipped := file("flipped.safetensors", b)
	stream := filepath.Join(dir, "good.265")
	mustEncode(t, pgm, stream)
	s, err := os.ReadFile(stream)
	if err != nil {
		t.Fatal(err)
	}
	cut := file("cut.265", s[:len(s)/2])
	o := filepath.Join(dir, "out")
	for _, tt := range []struct{ args, want string }{
		{"encode", "usage: vcsim encode"},
		{"snapshot pack", "usage: vcsim snapshot pack"},
		{"encode " + pgm, "-o"},
		{"encode " + pgm + " -o " + dir + "/absent/o.265", "there is no folder " + dir + "/absent"},
		{"encode " + pgm + " -o " + o + ".xyz", "encode writes"},
		{"encode " + pgm + " -o " + o + ".265 --qp 20 --bits 3", "give one of --qp and --bits"},
		{"encode " + pgm + " -o " + o + ".265 --qp 52", "outside 0..51"},
		{"encode " + pgm + " -o " + o + ".265 --qp nan", "not a finite"},
		{"encode " + pgm + " -o " + o + ".265 --bits 0", "must be positive"},
		{"encode " + pgm + " -o " + o + ".265 --tier fast", "fast"},
		{"encode " + pgm + " -o " + o + ".265 --off everything", "everything"},
		{"encode " + pgm + " -o " + o + ".265 --ctu 17", "17"},
		{"encode " + pgm + " -o " + o + ".265 --rotate", "--rotate is for tensors"},
		{"encode " + pgm + " -o " + o + ".265 --frame 0x4", "WIDTHxHEIGHT"},
		{"encode " + pgm + " -o " + o + ".265 --fold 64", "--fold is for tensors"},
		{"encode " + pgm + " -o " + o + ".safetensors --fold wide", "want auto, none"},
		{"encode " + pgm + " -o " + o + ".265 --size 32x32", "--size is for .raw"},
		{"encode " + pgm + " -o " + o + ".265 --codec t266", `codec "t266"`},
		{"encode " + pgm + " -o " + o + ".264 --codec t265", "codec t265 writes .265"},
		{"encode " + mixedTensors + " -o " + o + ".265", "no place for scales"},
		{"encode " + mixedTensors + " -o " + o + ".safetensors --quant column", "want tensor, channel"},
		{"encode " + mixedTensors + " -o " + o + ".safetensors --rotate=up", "want none, rows"},
		{"encode " + mixedTensors + " -o " + o + ".safetensors --tensor zzz", "no tensor matches"},
		{"encode " + mixedTensors + " -o " + o + ".safetensors --budget -1", "want a positive"},
		{"encode " + mixedTensors + " -o " + o + ".safetensors --residual lots", "want qpN"},
		{"encode " + good + " -o " + o + ".safetensors", "already"},
		{"encode " + nanFile + " -o " + o + ".safetensors", `tensor "bad.weight"`},
		{"encode " + nanFile + " -o " + o + ".safetensors", "index 1"},
		{"encode " + dir + "/absent.pgm -o " + o + ".265", "no such file"},
		{"encode " + file("x.raw", s) + " -o " + o + ".265", "needs --size"},
		{"encode " + file("y.raw", s) + " -o " + o + ".265 --size 3x3", "needs 9"},
		{"encode " + stream + " -o " + o + ".265", "vcsim decode"},
		{"decode " + stream, "-o"},
		{"decode " + stream + " -o " + o + ".265", "taken out of a container"},
		{"decode " + stream + " -o " + o + ".txt", "unknown kind"},
		{"decode " + stream + " -o " + o + ".raw --size 99x99", "pictures"},
		{"decode " + cut + " -o " + o + ".raw", "cut.265"},
		{"decode " + file("empty.265", nil) + " -o " + o + ".raw", "empty.265"},
		{"decode " + file("junk.265", []byte("junk junk junk")) + " -o " + o + ".raw", "junk.265"},
		{"decode " + file("empty.safetensors", nil) + " -o " + o + ".safetensors", "offset 0"},
		{"decode " + mixedTensors + " -o " + o + ".safetensors", "vcsim encode did not write it"},
		{"decode " + short + " -o " + o + ".safetensors", "short.safetensors"},
		{"decode " + flipped + " -o " + o + ".safetensors", "checksum"},
		{"decode " + good + " -o " + o + ".npy", "choose one with --tensor"},
		{"decode " + good + " -o " + o + ".npy --tensor activation", "numpy has no name"},
		{"decode " + good + " -o " + o + ".pgm --tensor activation", "8-bit codes"},
		{"decode " + good + " -o " + o + ".264 --tensor activation", "the stream is t265"},
		{"inspect " + pgm, "unknown kind"},
		{"inspect " + mixedTensors + " --tensor activation", "no coded tensors"},
		{"compare " + mixedTensors + " --rates 0", "rate"},
		{"compare " + mixedTensors + " --peers h267", "no such encoder"},
		{"compare " + mixedTensors + " --plot x.png --peers none", "--plot draws one"},
		{"reproduce fig99", `no figure "fig99"`},
	} {
		_, stderr, code := execute(t, strings.Fields(tt.args)...)
		if code != 2 || !strings.Contains(stderr, tt.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("vcsim %s: exit %d, %q, want 2 and %q", tt.args, code, stderr, tt.want)
		}
	}
	if left, _ := filepath.Glob(o + "*"); len(left) > 0 {
		t.Errorf("failed commands left %v", left)
	}
}

// A killed encode leaves either nothing or the whole file.
func TestKilledEncode(t *testing.T) {
	pgm, _ := gaussianPGM(t, 1024, 1024)
	for _, wait := range []time.Duration{10, 40, 80, 120, 200} {
		dir := t.TempDir()
		out := filepath.Join(dir, "o.safetensors")
		cmd := program(t, "encode", pgm, "-o", out, "--qp", "20")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(wait * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		if _, err := os.Stat(out); err == nil {
			mustDecode(t, out, filepath.Join(t.TempDir(), "d.pgm"))
		}
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if f.Name() != "o.safetensors" && !strings.HasSuffix(f.Name(), ".tmp") {
				t.Errorf("after %d ms: %s is left", wait, f.Name())
			}
		}
	}
}

func TestCompare(t *testing.T) {
	pgm, _ := gaussianPGM(t, 128, 128)
	plot := filepath.Join(t.TempDir(), "rd.svg")
	stdout, stderr, code := execute(t, "compare", pgm, "--peers", "none", "--plot", plot, "--json", "--rates", "2,3")
	if code != 0 {
		t.Fatal(stderr)
	}
	var j struct {
		AboveECSQ []struct {
			Tensor, Method string
			At2            *float64 `json:"at_2"`
			At3            *float64 `json:"at_3"`
		} `json:"above_ecsq"`
		Points []struct {
			Method string
			Bits   float64 `json:"bits_per_value"`
		}
	}
	if err := json.Unmarshal([]byte(stdout), &j); err != nil {
		t.Fatal(err)
	}
	limits := map[string][2]float64{ // of bits above ECSQ on i.i.d. Gaussian data
		"t265 hw": {0, 0.5}, "t265 rdo": {0, 0.3}, "RTN tensor": {1, 2}, "RTN group128": {0.4, 1.2}, "ECSQ": {-0.01, 0.01}, "Gaussian bound": {-0.28, -0.22},
	}
	for _, r := range j.AboveECSQ {
		l, ok := limits[r.Method]
		if !ok || r.At2 == nil || r.At3 == nil {
			t.Errorf("row %+v", r)
			continue
		}
		for _, v := range []float64{*r.At2, *r.At3} {
			if v < l[0] || v > l[1] {
				t.Errorf("%s: %g bits above ECSQ, want %g to %g", r.Method, v, l[0], l[1])
			}
		}
		delete(limits, r.Method)
	}
	if len(limits) > 0 {
		t.Errorf("no rows for %v", limits)
	}
	if b, err := os.ReadFile(plot); err != nil || !bytes.Contains(b, []byte("<svg")) {
		t.Errorf("plot: %v", err)
	}
}

// Other encoders land where they must on Gaussian data: a little above ECSQ.
func TestComparePeers(t *testing.T) {
	for _, name := range []string{"x265", "x264", "ffmpeg"} {
		peertest.Tool(t, name)
	}
	pgm, _ := gaussianPGM(t, 192, 128)
	stdout, stderr, code := execute(t, "compare", pgm, "--peers", "x265 medium,x264 medium", "--tiers", "hw", "--json", "--rates", "2,3")
	if code != 0 {
		t.Fatal(stderr)
	}
	var j struct {
		AboveECSQ []struct {
			Method string
			At3    *float64 `json:"at_3"`
		} `json:"above_ecsq"`
	}
	if err := json.Unmarshal([]byte(stdout), &j); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, r := range j.AboveECSQ {
		if strings.HasSuffix(r.Method, "medium") {
			seen++
			if r.At3 == nil || *r.At3 < 0.1 || *r.At3 > 0.45 {
				t.Errorf("%s: %v bits above ECSQ at 3 bits, want 0.1 to 0.45", r.Method, r.At3)
			}
		}
	}
	if seen != 2 {
		t.Errorf("%d other encoders, want 2", seen)
	}
}

func TestReproduceCodecFigures(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct{ args, plot, want string }{
		{"reproduce fig2b --nmse -20", "fig2b.png", "+ transform"},
		{"reproduce fig2b --nmse -24,-16 --sample keys", "fig2b.svg", "full intra coding"},
		{"reproduce fig3", "fig3.png", "DCT 8x8"},
		{"reproduce fig4 --tier hw", "fig4.png", "residual share"},
		{"reproduce fig2b --nmse -20 --codec t264", "fig2b.png", "+ trellis"},
		{"reproduce fig4 --tier hw --codec t264", "fig4.png", "residual share"},
	} {
		stdout, stderr, code := execute(t, append(strings.Fields(tt.args), "--out", dir)...)
		if code != 0 || !strings.Contains(stdout, tt.want) {
			t.Errorf("%s: exit %d, %q\n%s", tt.args, code, stderr, stdout)
		}
		if st, err := os.Stat(filepath.Join(dir, tt.plot)); err != nil || st.Size() < 3000 {
			t.Errorf("%s: no picture: %v", tt.args, err)
		}
	}
}
