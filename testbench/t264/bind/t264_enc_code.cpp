#include "harness.hpp"
#include "Vt264_enc_code.h"

BENCH(Vt264_enc_code,
      IN(take_valid_i) IN(take_thread_i) IN(ac_valid_i) IN(ac_data_i) IN(mb_valid_i) IN(mb_data_i) IN(out_ready_i)
      OUT(room_o) OUT(ac_ready_o) OUT(mb_ready_o) OUT(out_valid_o) OUT(out_thread_o) OUT(out_data_o) OUT(out_count_o)
      OUT(out_last_o) OUT(overflow_o))
