#include "harness.hpp"
#include "Vt265_enc_code.h"

BENCH(Vt265_enc_code,
      IN(take_valid_i) IN(take_thread_i) IN(head_valid_i) IN(head_data_i) IN(lev_valid_i) IN(lev_data_i) IN(out_ready_i)
      OUT(room_o) OUT(out_valid_o) OUT(out_thread_o) OUT(out_data_o) OUT(out_count_o) OUT(out_last_o) OUT(overflow_o))
