package presets

import (
	"fmt"
	"math"

	"vcsim/cluster"
)

// usualBatchTokens is a step of models whose batch is not published: LLaMA-2's.
const usualBatchTokens = 4 << 20

// Batch is the sequences of a step of a real job: the tokens with which the model was trained, else those of LLaMA-2, at the given
// tokens a sequence. It is a multiple of the GPUs where there are fewer of them than sequences, so that all counts of replicas can be
// had. The text says where the number is from.
func Batch(name string, m *cluster.Model, seq, gpus int) (sequences int, from string) {
	tokens := m.BatchTokens
	from = fmt.Sprintf("%s was trained with %.3g M tokens a step", name, tokens/1e6)
	if tokens == 0 {
		tokens = usualBatchTokens
		from = fmt.Sprintf("%.3g M tokens a step as LLaMA-2, since that of %s is not published", tokens/1e6, name)
	}
	n := math.Max(1, math.Round(tokens/float64(max(1, seq))))
	if g := float64(gpus); gpus > 1 && n >= g {
		n = g * math.Round(n/g)
	}
	return int(min(n, 1<<24)), from
}

// Node is how many GPUs of a job are in one node: the largest divisor of their number that the GPU's usual machine holds.
func Node(g *cluster.GPU, gpus int) int {
	for n := min(g.NodeGPUs, gpus); n > 1; n-- {
		if gpus%n == 0 {
			return n
		}
	}
	return 1
}
