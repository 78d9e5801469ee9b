package sim

// RTL: rtl/common/vc_fifo_ram.v

// A RAMFIFO holds up to its depth of words in a memory with a read port and a
// write port, and one more at the output of the memory. Latency 2, one word a
// cycle; the ready of its input depends on its registers alone.
type RAMFIFO[T any] struct {
	In, Out *Stream[T]

	mem               []T
	head, tail, count int
	valid             bool
	q                 T
}

// NewRAMFIFO returns a RAMFIFO whose memory has depth words, at least 2.
func NewRAMFIFO[T any](in, out *Stream[T], depth int) *RAMFIFO[T] {
	if depth < 2 {
		panic("sim: the depth of a RAMFIFO is at least 2")
	}
	return &RAMFIFO[T]{In: in, Out: out, mem: make([]T, depth)}
}

func (f *RAMFIFO[T]) Eval() {
	f.Out.Valid, f.Out.Data = f.valid, f.q
	f.In.Ready = f.count < len(f.mem)
}

func (f *RAMFIFO[T]) Clock() {
	take := f.In.Valid && f.In.Ready
	pop := f.count > 0 && (!f.valid || f.Out.Ready)
	if f.Out.Ready {
		f.valid = false
	}
	if pop {
		f.q, f.valid = f.mem[f.head], true
		f.head = f.next(f.head)
		f.count--
	}
	if take {
		f.mem[f.tail] = f.In.Data
		f.tail = f.next(f.tail)
		f.count++
	}
}

func (f *RAMFIFO[T]) next(i int) int {
	if i == len(f.mem)-1 {
		return 0
	}
	return i + 1
}

// Reset empties the FIFO.
func (f *RAMFIFO[T]) Reset() { f.head, f.tail, f.count, f.valid = 0, 0, 0, false }
