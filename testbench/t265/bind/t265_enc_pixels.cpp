#include "harness.hpp"
#include "Vt265_enc_pixels.h"

BENCH(Vt265_enc_pixels,
      IN(cfg_valid_i) IN(cfg_data_i) IN(req_ready_i) IN(src_valid_i) IN(src_data_i) IN(room_i)
      OUT(cfg_ready_o) OUT(req_valid_o) OUT(req_data_o) OUT(src_ready_o)
      OUT(head_valid_o) OUT(head_data_o) OUT(lev_valid_o) OUT(lev_data_o))
