package sim

import "math/bits"

// A Set holds numbers from 0 to 63: lanes, threads, or inputs. Its members are visited by
//
//	for m := s; m != 0; m = m.Rest() {
//		i := m.First()
//	}
type Set uint64

// FirstOf is the set of the n lowest numbers, n from 0 to 64.
func FirstOf(n int) Set { return Set(1)<<n - 1 }

// Has reports whether i is a member.
func (s Set) Has(i int) bool { return s>>(i&63)&1 != 0 }

// Add makes i a member.
func (s *Set) Add(i int) { *s |= 1 << (i & 63) }

// Remove makes i no member.
func (s *Set) Remove(i int) { *s &^= 1 << (i & 63) }

// Put makes i a member or not.
func (s *Set) Put(i int, member bool) {
	b := Set(0)
	if member {
		b = 1
	}
	*s = *s&^(1<<(i&63)) | b<<(i&63)
}

// Len returns the number of members.
func (s Set) Len() int { return bits.OnesCount64(uint64(s)) }

// First returns the lowest member, or 64 of the empty set.
func (s Set) First() int { return bits.TrailingZeros64(uint64(s)) }

// Rest is s without its lowest member.
func (s Set) Rest() Set { return s & (s - 1) }

// NextAfter is the choice of a round robin: the first member above i, else the lowest member, which may be i itself, or i
// if there is none.
func (s Set) NextAfter(i int) int {
	if above := s & (^Set(0) << (i & 63) << 1); above != 0 {
		return above.First()
	}
	if s != 0 {
		return s.First()
	}
	return i
}
