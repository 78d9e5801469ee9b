package t265

// A node is one of the coding quadtree or of a transform tree: a square of
// size 1<<log2 at the sample (x, y) of the picture, depth splits below the root
// of its tree.
type node struct {
	x, y, log2, depth int
}

func (n node) size() int { return 1 << n.log2 }

// quarter returns part i of the four that a node splits into, in decoding order.
func (n node) quarter(i int) node {
	h := 1 << n.log2 >> 1
	return node{n.x + i&1*h, n.y + i>>1*h, n.log2 - 1, n.depth + 1}
}

// root returns the node as the root of a tree of its own.
func (n node) root() node { return node{n.x, n.y, n.log2, 0} }
