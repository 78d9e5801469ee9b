package names

import "testing"

var fruit = List{"apple", "pear", "fig"}

func TestParse(t *testing.T) {
	for i, name := range fruit {
		if got, err := fruit.Parse("fruit", name); err != nil || got != i {
			t.Errorf("%s: got %d, %v, want %d", name, got, err, i)
		}
		if got := fruit.Name("Fruit", i); got != name {
			t.Errorf("%d: got %s, want %s", i, got, name)
		}
	}
	const want = `unknown fruit "nut" (apple, pear, fig)`
	if _, err := fruit.Parse("fruit", "nut"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	for value, want := range map[int]string{-1: "Fruit(-1)", 3: "Fruit(3)"} {
		if got := fruit.Name("Fruit", value); got != want {
			t.Errorf("%d: got %s, want %s", value, got, want)
		}
	}
}

func TestSets(t *testing.T) {
	for _, c := range []struct {
		in   string
		want uint32
		out  string
	}{
		{"", 0, ""},
		{" , ", 0, ""},
		{"pear", 2, "pear"},
		{" fig,apple,, fig ", 5, "apple,fig"},
		{"apple,pear,fig", 7, "apple,pear,fig"},
	} {
		got, err := fruit.ParseSet("fruit", c.in)
		if err != nil || got != c.want {
			t.Errorf("%q: got %b, %v, want %b", c.in, got, err, c.want)
		}
		if out := fruit.Set(got); out != c.out {
			t.Errorf("%q: printed as %q, want %q", c.in, out, c.out)
		}
	}
	if _, err := fruit.ParseSet("fruit", "fig,nut"); err == nil {
		t.Error("unknown name in a set: no error")
	}
	if got := fruit.Set(1 << 3); got != "" {
		t.Errorf("bit without a name: got %q", got)
	}
}
