#include "harness.hpp"
#include "Vt264_residual.h"

BENCH(Vt264_residual,
      IN(start_i) IN(avail_i) IN(fetch_ready_i) IN(load_valid_i) IN(load_head_i) IN(load_mask_i) IN(load_levels_i)
      IN(set_valid_i) IN(set_ctx_i) IN(set_value_i) IN(set_last_i) IN(out_ready_i)
      OUT(fetch_valid_o) OUT(fetch_kind_o) OUT(late_o) OUT(init_valid_o) OUT(init_qp_o) OUT(set_ready_o)
      OUT(out_valid_o) OUT(out_kind_o) OUT(out_ctx_o) OUT(out_count_o) OUT(out_bits_o))
