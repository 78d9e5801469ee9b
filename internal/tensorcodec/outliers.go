package tensorcodec

import (
	"encoding/binary"
	"fmt"
	"math"
	"sort"

	"vcsim/internal/tensor"
)

// outliers are values that are stored exactly, beside the stream.
type outliers struct {
	index []uint32 // rising
	value []float32
}

// maxOutlierTrims bounds the rounds in which the deviation of the other values settles.
const maxOutlierTrims = 20

// findOutliers returns the values farther than k standard deviations from the mean, both taken over the others: the
// farthest are left out until nothing changes.
func findOutliers(x []float32, k float64) (o outliers) {
	o, _ = farValues(len(x), k, func(f func(from int, x []float32) error) error { return f(0, x) }) // nothing is read
	return o
}

// farValues is findOutliers for n values that each hands over in pieces, in order, as often as it is called.
func farValues(n int, k float64, each func(func(from int, x []float32) error) error) (o outliers, err error) {
	if !(k > 0) || n > math.MaxUint32 {
		return o, nil
	}
	lo, hi := math.Inf(-1), math.Inf(1)
	count := n
	for range maxOutlierTrims {
		var inside, sum, sum2 float64
		err := each(func(_ int, x []float32) error {
			for _, v := range x {
				if f := float64(v); f >= lo && f <= hi {
					inside++
					sum += f
				}
			}
			return nil
		})
		if err != nil {
			return o, err
		}
		mean := sum / inside
		err = each(func(_ int, x []float32) error {
			for _, v := range x {
				if f := float64(v); f >= lo && f <= hi {
					sum2 += float64((f - mean) * (f - mean))
				}
			}
			return nil
		})
		if err != nil {
			return o, err
		}
		dev := k * math.Sqrt(sum2/inside)
		lo, hi = mean-dev, mean+dev
		if int(inside) == count && count < n {
			break
		}
		count = int(inside)
	}
	err = each(func(from int, x []float32) error {
		for i, v := range x {
			if f := float64(v); f < lo || f > hi {
				o.index = append(o.index, uint32(from+i))
				o.value = append(o.value, v)
			}
		}
		return nil
	})
	return o, err
}

// fills returns what stands in the place of each outlier among n values in rows of cols: the mean of its neighbours in the
// row, where an outlier to the left counts as what stands in its place and one to the right as zero; zero if there is no
// neighbour. get returns a value.
func (o outliers) fills(n, cols int, get func(i int) (float32, error)) ([]float32, error) {
	fill := make([]float32, len(o.index))
	var failed error
	value := func(i int) float32 {
		v, err := get(i)
		if err != nil {
			failed = err
		}
		return v
	}
	for k, index := range o.index {
		i := int(index)
		c := i % cols
		hasLeft, hasRight := c > 0, c < cols-1 && i+1 < n
		var left, right float32
		switch {
		case hasLeft && k > 0 && o.index[k-1] == index-1:
			left = fill[k-1]
		case hasLeft:
			left = value(i - 1)
		}
		if hasRight && (k+1 == len(o.index) || o.index[k+1] != index+1) {
			right = value(i + 1)
		}
		switch {
		case hasLeft && hasRight:
			fill[k] = (left + right) / 2
		case hasLeft:
			fill[k] = left
		case hasRight:
			fill[k] = right
		}
	}
	return fill, failed
}

// remove replaces the outliers in x.
func (o outliers) remove(x []float32, cols int) {
	fill, _ := o.fills(len(x), cols, func(i int) (float32, error) { return x[i], nil }) // nothing is read
	for k, i := range o.index {
		x[i] = fill[k]
	}
}

// between returns the first outlier at from or behind it, and the first at to or behind it.
func (o outliers) between(from, to int) (first, end int) {
	if len(o.index) == 0 {
		return 0, 0
	}
	first = sort.Search(len(o.index), func(k int) bool { return int(o.index[k]) >= from })
	end = first + sort.Search(len(o.index)-first, func(k int) bool { return int(o.index[first+k]) >= to })
	return first, end
}

// restore puts the outliers back.
func (o outliers) restore(x []float32) {
	for k, i := range o.index {
		x[i] = o.value[k]
	}
}

func (o outliers) parts() []part {
	var index []byte
	for _, i := range o.index {
		index = binary.LittleEndian.AppendUint32(index, i)
	}
	value, _ := tensor.Encode(nil, tensor.F32, o.value) // F32 is codable
	return []part{{suffixOutlierIndex, tensor.U32, []int{len(o.index)}, index}, {suffixOutlierValue, tensor.F32, []int{len(o.value)}, value}}
}

// readOutliers reads them for a tensor of n values.
func readOutliers(parts map[string]part, n int) (o outliers, err error) {
	index, ok := parts[suffixOutlierIndex]
	if !ok || index.dtype != tensor.U32 || len(index.shape) != 1 {
		return o, FormatError(fmt.Sprintf("container: %q is not a list of positions", suffixOutlierIndex))
	}
	if o.value, err = vector(parts, suffixOutlierValue, index.shape[0]); err != nil {
		return o, err
	}
	last := -1
	for k := range o.value {
		i := int(binary.LittleEndian.Uint32(index.data[4*k:]))
		if i <= last || i >= n {
			return o, FormatError(fmt.Sprintf("container: outlier %d at position %d of %d", k, i, n))
		}
		last = i
		o.index = append(o.index, uint32(i))
	}
	return o, nil
}
