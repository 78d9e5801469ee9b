#include "harness.hpp"
#include "Vt265_enc.h"

BENCH(Vt265_enc,
      IN(cfg_valid_i) IN(cfg_data_i) IN(req_ready_i) IN(src_valid_i) IN(src_data_i) IN(out_ready_i)
      OUT(cfg_ready_o) OUT(req_valid_o) OUT(req_data_o) OUT(src_ready_o) OUT(out_valid_o) OUT(out_thread_o) OUT(out_data_o) OUT(out_count_o)
      OUT(out_last_o) OUT(overflow_o))
