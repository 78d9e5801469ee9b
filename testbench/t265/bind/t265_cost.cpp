#include "harness.hpp"
#include "Vt265_cost.h"

BENCH(Vt265_cost,
      IN(valid_i) IN(last_i) IN(qp_i) IN(values_i)
      OUT(done_o) OUT(cost_o))
