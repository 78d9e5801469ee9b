#include "harness.hpp"
#include "Vt265_split_sum.h"

BENCH(Vt265_split_sum,
      IN(small_valid_i) IN(small_cost_i) IN(narrow_valid_i) IN(narrow_cost_i) IN(wide_valid_i) IN(wide_cost_i)
      OUT(valid_o) OUT(split_o) OUT(split8_o))
