#include "harness.hpp"
#include "Vt265_enc_lane.h"

BENCH(Vt265_enc_lane,
      IN(in_valid_i) IN(in_data_i) IN(set_valid_i) IN(set_ctx_i) IN(set_value_i) IN(set_last_i) IN(out_ready_i)
      OUT(in_ready_o) OUT(init_valid_o) OUT(init_qp_o) OUT(out_valid_o) OUT(out_data_o) OUT(out_count_o) OUT(out_last_o) OUT(overflow_o))
