#include "harness.hpp"
#include "Vt265_dec_inverse.h"

BENCH(Vt265_dec_inverse,
      IN(in_valid_i) IN(in_log2_i) IN(in_skip_i) IN(in_scan_i) IN(in_qp_i) IN(in_columns_i)
      IN(in_x_i) IN(in_y_i) IN(in_group_i) IN(in_last_i) IN(in_levels_i) IN(out_ready_i)
      OUT(in_ready_o) OUT(out_valid_o) OUT(out_data_o))
