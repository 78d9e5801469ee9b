package lmc

import (
	"context"
	"runtime"
	"sync"
)

// A worker has the buffers and tables of one goroutine.
type worker struct {
	enc   encoder
	dec   decoder
	block []byte   // packed block
	base  [][]byte // values of bases, by depth
	stats map[statsKey]*PlaneStats
}

var idle sync.Pool // of *worker

// newWorkers returns n workers, or with 0 one for each processor.
func newWorkers(n int) []*worker {
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	list := make([]*worker, n)
	for i := range list {
		w, ok := idle.Get().(*worker)
		if !ok {
			w = &worker{}
		}
		list[i] = w
	}
	return list
}

// release keeps workers, that is their buffers, for others.
func release(workers []*worker) {
	for _, w := range workers {
		w.stats = nil
		idle.Put(w)
	}
}

// A sequence hands out the numbers 0 to n-1 and takes results back in any order, for a sink that must see them in theirs.
type sequence struct {
	mu      sync.Mutex
	n       int
	next    int      // to hand out
	sunk    int      // results that the sink has seen
	waiting [][]byte // of those handed out and not yet sunk, by number modulo the length; nil until done
	errs    []error  // likewise
	sinking bool     // someone is at it
	spare   [][]byte // buffers of results that are sunk
	room    *sync.Cond
	err     error // the first, in order
}

// take returns the next number and a buffer for its result, or false if there is none. It waits while too many results wait.
func (q *sequence) take() (i int, buf []byte, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.err == nil && q.next < q.n && q.next-q.sunk == len(q.waiting) {
		q.room.Wait()
	}
	if q.err != nil || q.next == q.n {
		return 0, nil, false
	}
	buf = []byte{}
	if k := len(q.spare); k > 0 {
		buf, q.spare = q.spare[k-1][:0], q.spare[:k-1]
	}
	q.next++
	return q.next - 1, buf, true
}

// put takes result i. If it is the turn of i, and of what follows it, and no one else is at it, it calls sink, outside the
// lock; results then mostly are sunk where they were made.
func (q *sequence) put(i int, out []byte, err error, sink func(i int, out []byte) error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := func(i int) int { return i % len(q.waiting) }
	q.waiting[at(i)], q.errs[at(i)] = out, err
	if q.sinking {
		return
	}
	q.sinking = true
	for q.err == nil && q.sunk < q.next && q.waiting[at(q.sunk)] != nil {
		k := q.sunk
		out, err := q.waiting[at(k)], q.errs[at(k)]
		if err == nil {
			q.mu.Unlock()
			err = sink(k, out)
			q.mu.Lock()
		}
		q.waiting[at(k)], q.errs[at(k)] = nil, nil
		q.sunk++
		q.err = err
		q.spare = append(q.spare, out)
		q.room.Broadcast()
	}
	q.sinking = false
}

// ordered calls do for 0 to n-1, in parallel in as many goroutines as there are workers, and sink with each result, in
// order and never twice at a time, in any of them. do appends to out. At most a few results for each worker exist at a
// time. The first error, in order, ends it.
func ordered(ctx context.Context, workers []*worker, n int, do func(w *worker, i int, out []byte) ([]byte, error), sink func(i int, out []byte) error) error {
	if len(workers) == 1 {
		var out []byte
		for i := range n {
			if err := ctx.Err(); err != nil {
				return err
			}
			var err error
			if out, err = do(workers[0], i, out[:0]); err != nil {
				return err
			}
			if err := sink(i, out); err != nil {
				return err
			}
		}
		return nil
	}
	slots := 2*len(workers) + 2
	q := &sequence{n: n, waiting: make([][]byte, slots), errs: make([]error, slots)}
	q.room = sync.NewCond(&q.mu)
	var done sync.WaitGroup
	for _, w := range workers {
		done.Go(func() {
			for {
				i, out, ok := q.take()
				if !ok {
					return
				}
				err := ctx.Err()
				if err == nil {
					out, err = do(w, i, out)
				}
				if out == nil {
					out = []byte{}
				}
				q.put(i, out, err, sink)
			}
		})
	}
	done.Wait()
	return q.err
}
