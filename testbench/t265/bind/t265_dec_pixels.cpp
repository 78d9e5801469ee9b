#include "harness.hpp"
#include "Vt265_dec_pixels.h"

BENCH(Vt265_dec_pixels,
      IN(in_valid_i) IN(in_thread_i) IN(in_tag_i) IN(in_data_i) IN(out_ready_i)
      OUT(in_ready_o) OUT(out_valid_o) OUT(out_thread_o) OUT(out_columns_o) OUT(out_x_o) OUT(out_y_o)
      OUT(out_data_o))
