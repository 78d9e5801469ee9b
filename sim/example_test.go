package sim_test

import (
	"fmt"

	"vcsim/sim"
)

// A source offers the numbers from 1 on.
type source struct{ out *sim.Stream[int] }

func (s *source) Eval() {}

func (s *source) Clock() {
	if s.out.Moves() || !s.out.Valid {
		s.out.Valid = true
		s.out.Data++
	}
}

// A sink takes a number in every third cycle.
type sink struct {
	in    *sim.Stream[int]
	cycle int
	taken []int
}

func (s *sink) Eval() { s.in.Ready = s.cycle%3 == 2 }

func (s *sink) Clock() {
	if s.in.Moves() {
		s.taken = append(s.taken, s.in.Data)
	}
	s.cycle++
}

// A kernel steps a source, a queue and a sink; an Activity says who waited for whom.
func Example() {
	var in, out sim.Stream[int]
	queue := sim.NewFIFO(&in, &out, 4)
	end := &sink{in: &out}

	var k sim.Kernel
	k.Add(&source{out: &in}, queue, end) // in dataflow order
	var a sim.Activity
	a.Add("queue", []*sim.Wire{&in.Wire}, []*sim.Wire{&out.Wire})
	k.Watch(&a)
	k.Run(21)

	fmt.Println("taken:", end.taken)
	fmt.Printf("input: %+v\n", a.Flow(&in.Wire))
	fmt.Printf("queue blocked in %d of %d cycles\n", a.Units()[0].Cycles[sim.Blocked], a.Cycles())
	// Output:
	// taken: [1 2 3 4 5 6 7]
	// input: {Moved:9 Blocked:11 Starved:1 Idle:0}
	// queue blocked in 13 of 21 cycles
}
