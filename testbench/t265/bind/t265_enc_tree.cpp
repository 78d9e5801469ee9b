#include "harness.hpp"
#include "Vt265_enc_tree.h"

BENCH(Vt265_enc_tree,
      IN(plan_valid_i) IN(plan_data_i) IN(done_valid_i) IN(done_data_i) IN(out_ready_i)
      OUT(free_o) OUT(out_valid_o) OUT(out_data_o))
