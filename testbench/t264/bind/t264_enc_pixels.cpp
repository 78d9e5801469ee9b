#include "harness.hpp"
#include "Vt264_enc_pixels.h"

// 64 bits of a wide port.
#define WIDE(port, i) bench.out(#port "_" #i, reinterpret_cast<QData&>(bench.top()->port.m_storage[2 * i]));

BENCH(Vt264_enc_pixels,
      IN(cfg_valid_i) IN(cfg_data_i) IN(req_ready_i) IN(src_valid_i) IN(src_data_i) IN(room_i) IN(ac_ready_i) IN(mb_ready_i)
      OUT(cfg_ready_o) OUT(req_valid_o) OUT(req_data_o) OUT(src_ready_o)
      OUT(ac_valid_o) WIDE(ac_data_o, 0) WIDE(ac_data_o, 1) WIDE(ac_data_o, 2)
      OUT(mb_valid_o) WIDE(mb_data_o, 0) WIDE(mb_data_o, 1) WIDE(mb_data_o, 2) WIDE(mb_data_o, 3))
