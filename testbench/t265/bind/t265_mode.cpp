#include "harness.hpp"
#include "Vt265_mode.h"

BENCH(Vt265_mode,
      IN(ref_valid_i) IN(ref_data_i) IN(src_valid_i) IN(src_data_i) IN(room_i) IN(out_ready_i)
      OUT(ref_ready_o) OUT(src_ready_o) OUT(out_valid_o) OUT(out_data_o))
