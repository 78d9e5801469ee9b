#include "harness.hpp"
#include "Vt265_binarise.h"

BENCH(Vt265_binarise,
      IN(start_i) IN(in_valid_i) IN(in_data_i) IN(set_valid_i) IN(set_ctx_i) IN(set_value_i) IN(set_last_i) IN(out_ready_i)
      OUT(in_ready_o) OUT(init_valid_o) OUT(init_qp_o) OUT(set_ready_o)
      OUT(out_valid_o) OUT(out_kind_o) OUT(out_ctx_o) OUT(out_count_o) OUT(out_bits_o))
