#include "harness.hpp"
#include "Vvc_nal_unpack.h"

BENCH(Vvc_nal_unpack,
      IN(in_valid_i) IN(in_data_i) IN(in_count_i) IN(in_last_i) IN(out_ready_i)
      OUT(in_ready_o) OUT(out_valid_o) OUT(out_data_o) OUT(out_last_o))
