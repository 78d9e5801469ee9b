package sim

// RTL: rtl/common/vc_arbiter.v

// A Tagged word remembers the input of the Arbiter that it came from.
type Tagged[T any] struct {
	Word   T
	Source int
}

// An Arbiter merges streams, round robin. One input is selected; it sends while
// it has words and nobody else waits, and gives way after each word otherwise.
// The selection is a register, so that ready depends on no valid: the first
// word after a change waits one cycle in an idle system, none in a busy one.
// Latency 1 through the output register, one word a cycle.
type Arbiter[T any] struct {
	In  []*Stream[T]
	Out *Stream[Tagged[T]]

	sel   int
	valid bool
	data  Tagged[T]
}

func (a *Arbiter[T]) Eval() {
	a.Out.Valid, a.Out.Data = a.valid, a.data
	free := !a.valid || a.Out.Ready
	for i, in := range a.In {
		in.Ready = free && i == a.sel
	}
}

func (a *Arbiter[T]) Clock() {
	in := a.In[a.sel]
	if in.Ready { // the output register is free after this edge
		a.valid = in.Valid
		if in.Valid {
			a.data = Tagged[T]{in.Data, a.sel}
		}
	}
	if in.Ready || !in.Valid {
		a.sel = a.next()
	}
}

// next returns the first other input with a word, from sel+1 on and around, or
// sel if there is none.
func (a *Arbiter[T]) next() int {
	for k := 1; k < len(a.In); k++ {
		i := a.sel + k
		if i >= len(a.In) {
			i -= len(a.In)
		}
		if a.In[i].Valid {
			return i
		}
	}
	return a.sel
}

// Reset selects input 0 and clears the valid bit.
func (a *Arbiter[T]) Reset() { a.sel, a.valid = 0, false }
