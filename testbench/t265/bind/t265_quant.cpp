#include "harness.hpp"
#include "Vt265_quant.h"

BENCH(Vt265_quant,
      IN(coef_valid_i) IN(coef_data_i) IN(skip_valid_i) IN(skip_data_i) IN(lev_ready_i) IN(deq_ready_i) IN(rest_ready_i)
      OUT(coef_ready_o) OUT(skip_ready_o) OUT(lev_valid_o) OUT(lev_data_o)
      OUT(deq_valid_o) OUT(deq_data_o) OUT(rest_valid_o) OUT(rest_data_o))
