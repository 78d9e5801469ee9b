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

// A slot is a result on its way from a worker to the sink.
type slot struct {
	i    int
	out  []byte
	err  error
	done chan struct{}
}

// ordered calls do for 0 to n-1, in parallel in as many goroutines as there are workers, and sink with each result in
// order, in the caller's goroutine. do appends to out. At most a few results for each worker exist at a time. The first
// error, in order, ends it.
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
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	slots := 2*len(workers) + 2
	free := make(chan *slot, slots)
	for range slots {
		free <- &slot{done: make(chan struct{}, 1)}
	}
	tasks, order := make(chan *slot), make(chan *slot, slots)
	go func() {
		defer close(tasks)
		defer close(order)
		for i := range n {
			var s *slot
			select {
			case s = <-free:
			case <-ctx.Done():
				return
			}
			s.i = i
			order <- s // has room for all
			tasks <- s // workers always come back
		}
	}()
	for _, w := range workers {
		go func() {
			for s := range tasks {
				if s.err = ctx.Err(); s.err == nil {
					s.out, s.err = do(w, s.i, s.out[:0])
				}
				s.done <- struct{}{}
			}
		}()
	}
	var err error
	sent := 0
	for s := range order {
		<-s.done
		sent++
		if err == nil {
			err = s.err
		}
		if err == nil {
			err = sink(s.i, s.out)
		}
		if err != nil {
			cancel() // and wait for what is under way
		}
		free <- s
	}
	if err == nil && sent < n {
		err = ctx.Err()
	}
	return err
}
