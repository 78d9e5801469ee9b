#include "harness.hpp"
#include "Vvc_cabac_enc.h"

BENCH(Vvc_cabac_enc,
      IN(in_valid_i) IN(in_kind_i) IN(in_ctx_i) IN(in_count_i) IN(in_bits_i) IN(out_ready_i)
      OUT(in_ready_o) OUT(out_valid_o) OUT(out_data_o) OUT(out_last_o) OUT(overflow_o))
