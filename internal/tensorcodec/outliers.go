package tensorcodec

import (
	"encoding/binary"
	"fmt"
	"math"

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
	if !(k > 0) || len(x) > math.MaxUint32 {
		return o
	}
	lo, hi := math.Inf(-1), math.Inf(1)
	count := len(x)
	for range maxOutlierTrims {
		var n, sum, sum2 float64
		for _, v := range x {
			if f := float64(v); f >= lo && f <= hi {
				n++
				sum += f
			}
		}
		mean := sum / n
		for _, v := range x {
			if f := float64(v); f >= lo && f <= hi {
				sum2 += float64((f - mean) * (f - mean))
			}
		}
		dev := k * math.Sqrt(sum2/n)
		lo, hi = mean-dev, mean+dev
		if int(n) == count && count < len(x) {
			break
		}
		count = int(n)
	}
	for i, v := range x {
		if f := float64(v); f < lo || f > hi {
			o.index = append(o.index, uint32(i))
			o.value = append(o.value, v)
		}
	}
	return o
}

// remove replaces the outliers in x by the mean of their neighbours in the row, or zero.
func (o outliers) remove(x []float32, cols int) {
	for _, i := range o.index {
		x[i] = 0
	}
	for _, i := range o.index {
		c := int(i) % cols
		switch {
		case c > 0 && c < cols-1:
			x[i] = (x[i-1] + x[i+1]) / 2
		case c > 0:
			x[i] = x[i-1]
		case cols > 1:
			x[i] = x[i+1]
		}
	}
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
