#include "harness.hpp"
#include "Vt265_samples.h"

BENCH(Vt265_samples,
      IN(tu_valid_i) IN(tu_data_i) IN(src_even_i) IN(src_odd_i) IN(res_ready_i) IN(skip_ready_i)
      IN(inv_valid_i) IN(inv_data_i) IN(scaled_valid_i) IN(scaled_data_i)
      OUT(tu_ready_o) OUT(src_re_o) OUT(src_addr_o) OUT(res_valid_o) OUT(res_data_o) OUT(skip_valid_o) OUT(skip_data_o)
      OUT(inv_ready_o) OUT(scaled_ready_o) OUT(done_valid_o) OUT(done_data_o) OUT(line_valid_o) OUT(line_data_o))
