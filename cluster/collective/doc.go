// Package collective says how long collective operations take on a network of
// accelerators, and what they put on its links: plain structs in, seconds and
// bytes out, nothing allocated.
//
// A [Network] lists tiers of links; a [Fabric] is a network with the constants
// of its families of links worked out. [Fabric.Plan] lays a [Group] of ranks on
// it and lists the ways of an operation (ring, tree, reduction in switches,
// each with the protocols of NCCL); [Plan.Message] takes the fastest of them for
// a size. A [Channel] is the codec that messages between nodes pass.
//
// Units: seconds, bytes, bytes per second and direction of one GPU.
//
// Sources of the formulas: Thakur et al. 2005 (rings and trees), NCCL's double
// binary trees and its own table of tuning constants (src/graph/tuning.cc), Tang
// et al. 2021 (arXiv 2102.02888) for the gather-style compressed all-reduce.
package collective
