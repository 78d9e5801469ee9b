#include "harness.hpp"
#include "Vt264_dec_pixels.h"

BENCH(Vt264_dec_pixels,
      IN(in_valid_i) IN(in_thread_i) IN(in_kind_i) IN(in_group_i) IN(in_last_i) IN(in_data_i) IN(out_ready_i) IN(in_kinds_i) IN(in_bad_i)
      OUT(in_open_o) OUT(in_ready_o) OUT(out_valid_o) OUT(out_thread_o) OUT(out_mb_x_o) OUT(out_mb_y_o) OUT(out_x_o) OUT(out_y_o) OUT(out_data_o))
