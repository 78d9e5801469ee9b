package tensor

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// SafetensorsWriter writes a safetensors file whose tensors and sizes are known beforehand.
type SafetensorsWriter struct {
	w         io.Writer
	left      []Info
	unwritten int64 // bytes of the tensor that [SafetensorsWriter.Append] has begun
}

// SafetensorsHeader returns the header of a file that holds tensors in the given order: the length, then JSON padded with
// spaces to a multiple of 8 bytes.
func SafetensorsHeader(tensors []Info, meta map[string]string) ([]byte, error) {
	var b bytes.Buffer
	b.Write(make([]byte, 8))
	b.WriteByte('{')
	if len(meta) > 0 {
		m, err := json.Marshal(meta) // sorts the keys
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, `"__metadata__":%s`, m)
	}
	seen := map[string]bool{"__metadata__": true}
	var off int64
	for _, t := range tensors {
		if seen[t.Name] {
			return nil, fmt.Errorf("safetensors: tensor name %q is taken", t.Name)
		}
		seen[t.Name] = true
		size, err := t.NumBytes()
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", t.Name, err)
		}
		if b.Len() > 9 {
			b.WriteByte(',')
		}
		shape := t.Shape
		if shape == nil {
			shape = []int{}
		}
		name, err := json.Marshal(t.Name)
		if err != nil {
			return nil, err
		}
		dims, err := json.Marshal(shape)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, `%s:{"dtype":"%s","shape":%s,"data_offsets":[%d,%d]}`, name, t.DType, dims, off, off+size)
		off += size
	}
	b.WriteByte('}')
	for b.Len()%8 != 0 {
		b.WriteByte(' ')
	}
	out := b.Bytes()
	if len(out)-8 > maxHeader {
		return nil, fmt.Errorf("safetensors: header of %d bytes; at most %d", len(out)-8, maxHeader)
	}
	binary.LittleEndian.PutUint64(out, uint64(len(out)-8))
	return out, nil
}

// NewSafetensorsWriter writes the header; [SafetensorsWriter.Write] must follow once per tensor, in the same order.
func NewSafetensorsWriter(w io.Writer, tensors []Info, meta map[string]string) (*SafetensorsWriter, error) {
	head, err := SafetensorsHeader(tensors, meta)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(head); err != nil {
		return nil, err
	}
	return &SafetensorsWriter{w: w, left: tensors}, nil
}

// Write appends the data of the next tensor.
func (w *SafetensorsWriter) Write(data []byte) error {
	if len(w.left) == 0 {
		return errors.New("safetensors: more tensors than the header names")
	}
	t := w.left[0]
	if size, err := t.NumBytes(); err != nil || size != int64(len(data)) {
		return fmt.Errorf("safetensors: tensor %q: %d bytes, the header says %d", t.Name, len(data), size)
	}
	w.left = w.left[1:]
	_, err := w.w.Write(data)
	return err
}

// Append writes a piece of the next tensor's data; the last piece ends it.
func (w *SafetensorsWriter) Append(piece []byte) error {
	if w.unwritten == 0 {
		if len(w.left) == 0 {
			return errors.New("safetensors: more tensors than the header names")
		}
		size, err := w.left[0].NumBytes()
		if err != nil {
			return err
		}
		w.unwritten = size
	}
	if int64(len(piece)) > w.unwritten {
		return fmt.Errorf("safetensors: tensor %q: more bytes than the header says", w.left[0].Name)
	}
	if w.unwritten -= int64(len(piece)); w.unwritten == 0 {
		w.left = w.left[1:]
	}
	_, err := w.w.Write(piece)
	return err
}

// Close reports an error if tensors are missing.
func (w *SafetensorsWriter) Close() error {
	if len(w.left) > 0 {
		return fmt.Errorf("safetensors: tensor %q was not written", w.left[0].Name)
	}
	return nil
}
