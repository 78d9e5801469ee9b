#include "harness.hpp"
#include "Vvc_cabac_dec.h"

BENCH(Vvc_cabac_dec,
      IN(in_valid_i) IN(in_data_i) IN(in_last_i) IN(start_i) IN(drain_i) IN(init_i) IN(init_ctx_i) IN(init_value_i) IN(enable_i)
      IN(zero_kind_i) IN(zero_ctx_i) IN(zero_count_i) IN(one_kind_i) IN(one_ctx_i) IN(one_count_i) IN(fork_i)
      OUT(in_ready_o) OUT(step_o) OUT(bin_o) OUT(bins_o) OUT(ended_o) OUT(overrun_o) OUT(cut_o))
