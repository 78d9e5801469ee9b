package lmc

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"
)

// TestOrdered: the sink sees each result once and in order, results wait in bounded number, and the first error, in order, or an
// interruption ends it.
func TestOrdered(t *testing.T) {
	failed := errors.New("failed")
	for _, threads := range []int{1, 2, 3, 8} {
		for _, tt := range []struct {
			name                     string
			n, failDo, failSink, end int // -1 for never
		}{{"none", 0, -1, -1, -1}, {"one", 1, -1, -1, -1}, {"all", 500, -1, -1, -1}, {"do fails", 500, 123, -1, -1}, {"sink fails", 500, -1, 77, -1}, {"both fail", 500, 80, 81, -1}, {"interrupted", 500, -1, -1, 40}} {
			ctx, cancel := context.WithCancel(t.Context())
			var made, sunk, most, busy atomic.Int64
			err := ordered(ctx, newWorkers(threads), tt.n, func(_ *worker, i int, out []byte) ([]byte, error) {
				if i%7 == 0 {
					time.Sleep(time.Duration(rand.IntN(200)) * time.Microsecond)
				}
				if n := made.Add(1) - sunk.Load(); n > most.Load() {
					most.Store(n)
				}
				if i == tt.failDo {
					return nil, failed
				}
				return binary.AppendUvarint(out, uint64(i)), nil
			}, func(i int, out []byte) error {
				if busy.Add(1) != 1 {
					t.Errorf("%s, %d threads: two sinks at a time", tt.name, threads)
				}
				defer busy.Add(-1)
				if got, _ := binary.Uvarint(out); int(got) != i || int64(i) != sunk.Load() {
					t.Errorf("%s, %d threads: sink %d, after %d, got the result of %d", tt.name, threads, i, sunk.Load(), got)
				}
				sunk.Add(1)
				if i == tt.failSink {
					return failed
				}
				if i == tt.end {
					cancel()
				}
				return nil
			})
			cancel()
			want, wantErr := int64(tt.n), error(nil)
			switch {
			case tt.failDo >= 0:
				want, wantErr = int64(tt.failDo), failed
			case tt.failSink >= 0:
				want, wantErr = int64(tt.failSink)+1, failed
			case tt.end >= 0:
				wantErr = context.Canceled
				if n := sunk.Load(); n > int64(tt.end) && n < 200 {
					want = n
				}
			}
			if !errors.Is(err, wantErr) || sunk.Load() != want {
				t.Errorf("%s, %d threads: %d results and %v, want %d and %v", tt.name, threads, sunk.Load(), err, want, wantErr)
			}
			if limit := int64(2*threads + 3); most.Load() > limit {
				t.Errorf("%s, %d threads: %d results waited, want %d at most", tt.name, threads, most.Load(), limit)
			}
		}
	}
}
