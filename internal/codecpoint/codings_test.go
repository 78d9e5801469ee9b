package codecpoint

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestCodingsFresh writes the table again, where the planes are there.
func TestCodingsFresh(t *testing.T) {
	planes := "../../../shared/planes"
	if _, err := os.Stat(planes); err != nil {
		t.Skip("no planes: ", err)
	}
	out := filepath.Join(t.TempDir(), "codings.csv")
	if text, err := exec.Command("go", "run", "./rates", "-coded", planes, out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	now, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if string(now) != codingsCSV {
		t.Errorf("%s is stale: %s writes it again", CodingsFile, CodingsCommand)
	}
}

// TestCodings: at each measured point bits and error come out as they are in the table, for a class of one plane, and between points they
// lie between them; more bits are less error, on every class and by both codecs.
func TestCodings(t *testing.T) {
	for _, codec := range []string{"t264", "t265"} {
		plane, err := codingsOf(codec, ActivationGradients)
		if err != nil || len(plane) != 1 {
			t.Fatalf("%d planes, %v", len(plane), err)
		}
		for _, c := range plane[0][:10] { // coarser ones have no bits to speak of
			bits, err := BitsAt(codec, ActivationGradients, c.NMSEDB)
			if err != nil || math.Abs(bits.Value-c.Bits) > 1e-9 || len(bits.Planes) != 1 {
				t.Errorf("%s at %g dB: %+v, %v, want %g", codec, c.NMSEDB, bits, err, c.Bits)
			}
			db, ok, err := ErrorAt(codec, ActivationGradients, c.Bits)
			if err != nil || !ok || math.Abs(db.Value-c.NMSEDB) > 1e-9 {
				t.Errorf("%s at %g bits: %+v, %v, %v, want %g", codec, c.Bits, db, ok, err, c.NMSEDB)
			}
		}
		for _, class := range append([]string{ActivationGradients}, Classes...) {
			last := math.Inf(1)
			for db := -25.0; db <= -5; db += 2.5 {
				m, err := BitsAt(codec, class, db)
				if err != nil || m.Value <= 0 || m.Value >= last {
					t.Errorf("%s, %s: %g bits at %g dB after %g, %v", codec, class, m.Value, db, last, err)
				}
				last = m.Value
			}
		}
		last := 0.0
		for bits := .1; bits < 12; bits += .5 {
			regular, bypass, err := BinsAt(codec, bits)
			if err != nil || regular+bypass <= last || regular+bypass < bits/1.5 || bypass < 0 {
				t.Errorf("%s: %g and %g bins at %g bits after %g, %v", codec, regular, bypass, bits, last, err)
			}
			last = regular + bypass
		}
	}
	if _, err := BitsAt("t264", "weights", -90); err == nil {
		t.Error("an error that no plane reaches")
	}
	if _, err := BitsAt("t266", "weights", -20); err == nil {
		t.Error("a codec that nobody measured")
	}
	if _, ok, _ := ErrorAt("t264", "weights", 15); ok {
		t.Error("bits that no plane has")
	}
}
