#include "harness.hpp"
#include "Vt265_dec_predict.h"

BENCH(Vt265_dec_predict,
      IN(in_valid_i) IN(in_data_i) IN(out_ready_i)
      OUT(in_ready_o) OUT(out_valid_o) OUT(out_data_o))
