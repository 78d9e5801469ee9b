#include "harness.hpp"
#include "Vt265_dec_lane.h"

BENCH(Vt265_dec_lane,
      IN(word_valid_i) IN(word_data_i) IN(word_count_i) IN(word_last_i)
      IN(cfg_valid_i) IN(cfg_last_x_i) IN(cfg_last_y_i) IN(cfg_part_x_i) IN(cfg_part_y_i) IN(cfg_x_i) IN(cfg_y_i)
      IN(cfg_qp_i) IN(cfg_dependent_i) IN(cfg_tools_i)
      IN(set_valid_i) IN(set_ctx_i) IN(set_value_i) IN(set_last_i)
      IN(above_ready_i) IN(reply_valid_i) IN(reply_word_i) IN(item_ready_i)
      OUT(word_ready_o) OUT(cfg_ready_o) OUT(init_o) OUT(init_qp_o) OUT(set_ready_o)
      OUT(above_valid_o) OUT(above_write_o) OUT(above_x_o) OUT(above_read_o) OUT(above_word_o) OUT(reply_ready_o)
      OUT(item_valid_o) OUT(item_tag_o) OUT(item_data_o) OUT(error_o))
