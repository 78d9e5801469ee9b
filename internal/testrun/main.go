// Testrun runs `go test -json` with its arguments, shows what failed or was skipped, and ends with one line of counts:
//
//	123 passed, 0 failed, 4 skipped
//
// Tests and subtests count alike. A package that fails without a failing test (it does not compile, it panics, it runs
// out of time) counts as one failure. The exit code is 1 when anything failed or nothing passed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

func main() {
	cmd := exec.Command("go", append([]string{"test", "-json"}, os.Args[1:]...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "testrun:", err)
		os.Exit(1)
	}
	var s summary
	readErr := s.read(out, os.Stdout)
	io.Copy(io.Discard, out)
	waitErr := cmd.Wait()
	if readErr != nil {
		fmt.Fprintln(os.Stderr, "testrun:", readErr)
	}
	if waitErr != nil && s.failed == 0 {
		s.failed++ // go test itself failed
	}
	fmt.Println(s.line())
	if readErr != nil || s.failed > 0 || s.passed == 0 {
		os.Exit(1)
	}
}

// An event is one line of `go test -json`; see `go doc test2json`.
type event struct {
	Action  string
	Package string
	Test    string  // "" for the package
	Elapsed float64 // seconds
	Output  string
}

// A summary counts the results, and keeps the output of what still runs.
type summary struct {
	passed, failed, skipped int
	output                  map[string][]string // by package and test
	failedTests             map[string]int      // by package
}

func (s *summary) line() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", s.passed, s.failed, s.skipped)
}

// read consumes the events in r and writes to w a line for each package and the output of each failed or skipped test.
func (s *summary) read(r io.Reader, w io.Writer) error {
	s.output, s.failedTests = map[string][]string{}, map[string]int{}
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil {
				w.Write(line) // not an event: a message of the go command
			} else {
				s.add(e, w)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *summary) add(e event, w io.Writer) {
	id := e.Package + "\x00" + e.Test
	switch e.Action {
	case "build-output":
		io.WriteString(w, e.Output)
		return
	case "output":
		s.output[id] = append(s.output[id], e.Output)
		return
	case "pass", "fail", "skip":
	default:
		return
	}
	output := s.output[id]
	delete(s.output, id)
	if e.Test == "" {
		s.endPackage(e, output, w)
		return
	}
	switch e.Action {
	case "pass":
		s.passed++
		return
	case "fail":
		s.failed++
		s.failedTests[e.Package]++
	case "skip":
		s.skipped++
	}
	for _, o := range output {
		if !strings.HasPrefix(o, "=== ") {
			io.WriteString(w, o)
		}
	}
}

func (s *summary) endPackage(e event, output []string, w io.Writer) {
	switch {
	case e.Action == "pass":
		fmt.Fprintf(w, "ok    %s %.1fs\n", e.Package, e.Elapsed)
	case e.Action == "fail":
		fmt.Fprintf(w, "FAIL  %s %.1fs\n", e.Package, e.Elapsed)
		if s.failedTests[e.Package] == 0 {
			s.failed++
			// What a test that never ended had to say is the reason.
			for id, lines := range s.output {
				if strings.HasPrefix(id, e.Package+"\x00") {
					output = append(lines, output...)
					delete(s.output, id)
				}
			}
			io.WriteString(w, strings.Join(output, ""))
		}
	}
}
