#include "harness.hpp"
#include "Vt264_dec.h"

BENCH(Vt264_dec,
      IN(cfg_valid_i) IN(cfg_lane_i) IN(cfg_last_x_i) IN(cfg_last_y_i) IN(cfg_x_i) IN(cfg_y_i) IN(cfg_qp_i) IN(cfg_t8_i)
      IN(word_valid_i) IN(word_lane_i) IN(word_data_i) IN(word_count_i) IN(word_last_i) IN(out_ready_i)
      OUT(cfg_ready_o) OUT(word_ready_o) OUT(out_valid_o) OUT(out_lane_o) OUT(out_mb_x_o) OUT(out_mb_y_o) OUT(out_x_o) OUT(out_y_o)
      OUT(out_data_o) OUT(error_o))
