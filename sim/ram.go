package sim

// RTL: rtl/common/vc_ram_ff.v rtl/common/vc_ram_latch.v rtl/common/vc_clock_gate.v rtl/common/vc_ram_1rw.v rtl/common/vc_ram_1r1w.v

// A RAMFF is a memory of flip-flops or latches with one write port and one read port, or
// two; the word read is there in the same cycle, before the write of that cycle.
// Its owner calls the methods: Read at any time, Write once before Clock.
type RAMFF[T any] struct {
	mem   []T
	write bool
	addr  int
	data  T
}

// NewRAMFF returns a memory of depth words.
func NewRAMFF[T any](depth int) *RAMFF[T] { return &RAMFF[T]{mem: make([]T, depth)} }

// Read returns the word at addr.
func (r *RAMFF[T]) Read(addr int) T { return r.mem[addr] }

// Write stores v at addr at the next edge.
func (r *RAMFF[T]) Write(addr int, v T) { r.write, r.addr, r.data = true, addr, v }

// Clock commits the write.
func (r *RAMFF[T]) Clock() {
	if r.write {
		r.mem[r.addr], r.write = r.data, false
	}
}

// A RAM1RW is a memory with one port that reads or writes. The word read is at
// Q in the next cycle and stays until the next read.
type RAM1RW[T any] struct {
	mem               []T
	q                 T
	pending, pendingW bool
	addr              int
	data              T
}

// NewRAM1RW returns a memory of depth words.
func NewRAM1RW[T any](depth int) *RAM1RW[T] { return &RAM1RW[T]{mem: make([]T, depth)} }

// Read asks for the word at addr.
func (r *RAM1RW[T]) Read(addr int) { r.pending, r.pendingW, r.addr = true, false, addr }

// Write stores v at addr at the next edge. It replaces a Read of this cycle.
func (r *RAM1RW[T]) Write(addr int, v T) {
	r.pending, r.pendingW, r.addr, r.data = true, true, addr, v
}

// Q is the word read last.
func (r *RAM1RW[T]) Q() T { return r.q }

// Clock commits the access.
func (r *RAM1RW[T]) Clock() {
	if !r.pending {
		return
	}
	r.pending = false
	if r.pendingW {
		r.mem[r.addr] = r.data
	} else {
		r.q = r.mem[r.addr]
	}
}

// A RAM1R1W is a memory with a read port and a write port. The word read is at
// Q in the next cycle and stays until the next read; a read of the word that is
// written in the same cycle gives the old one.
type RAM1R1W[T any] struct {
	mem          []T
	q            T
	read, write  bool
	raddr, waddr int
	data         T
}

// NewRAM1R1W returns a memory of depth words.
func NewRAM1R1W[T any](depth int) *RAM1R1W[T] { return &RAM1R1W[T]{mem: make([]T, depth)} }

// Read asks for the word at addr.
func (r *RAM1R1W[T]) Read(addr int) { r.read, r.raddr = true, addr }

// Write stores v at addr at the next edge.
func (r *RAM1R1W[T]) Write(addr int, v T) { r.write, r.waddr, r.data = true, addr, v }

// Q is the word read last.
func (r *RAM1R1W[T]) Q() T { return r.q }

// Clock commits the accesses.
func (r *RAM1R1W[T]) Clock() {
	if r.read {
		r.q, r.read = r.mem[r.raddr], false
	}
	if r.write {
		r.mem[r.waddr], r.write = r.data, false
	}
}
