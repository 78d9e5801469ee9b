#include "harness.hpp"
#include "Vvc_cabac_pack.h"

BENCH(Vvc_cabac_pack,
      IN(in_valid_i) IN(in_bits_i) IN(in_n_i) IN(in_last_i) IN(out_ready_i)
      OUT(in_ready_o) OUT(out_valid_o) OUT(out_data_o) OUT(out_last_o) OUT(overflow_o))
