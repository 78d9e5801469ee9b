#include "harness.hpp"
#include "Vt264_dec_above.h"

BENCH(Vt264_dec_above,
      IN(in_valid_i) IN(in_write_i) IN(in_x_i) IN(in_read_i) IN(in_word_i)
      OUT(in_ready_o) OUT(out_valid_o) OUT(out_word_o))
