#include "harness.hpp"
#include "Vt265_enc_tree.h"

BENCH(Vt265_enc_tree,
      IN(plan_valid_i) IN(plan_data_i) IN(done_valid_i) IN(done_data_i) IN(out_ready_i)
      OUT(free_o) OUT(idle_o) OUT(slot_o) OUT(head_valid_o) OUT(head_data_o) OUT(head_x_o) OUT(out_valid_o) OUT(out_data_o))
