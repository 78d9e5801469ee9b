#include "harness.hpp"
#include "Vt265_dec_recon.h"

BENCH(Vt265_dec_recon,
      IN(sum_valid_i) IN(sum_i) IN(pred_valid_i) IN(pred_i) IN(res_valid_i) IN(res_i) IN(out_ready_i)
      OUT(sum_ready_o) OUT(pred_ready_o) OUT(res_ready_o) OUT(out_valid_o) OUT(out_thread_o)
      OUT(out_columns_o) OUT(out_x_o) OUT(out_y_o) OUT(out_data_o) OUT(done_o) OUT(above_we_o)
      OUT(left_we_o) OUT(x_o) OUT(y_o) OUT(above_o) OUT(left_o))
