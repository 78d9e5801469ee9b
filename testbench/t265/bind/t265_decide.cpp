#include "harness.hpp"
#include "Vt265_decide.h"

BENCH(Vt265_decide,
      IN(ref_valid_i) IN(ref_data_i) IN(src_valid_i) IN(src_data_i)
      OUT(ref_ready_o) OUT(src_ready_o) OUT(write_valid_o) OUT(write_addr_o) OUT(write_data_o) OUT(plan_valid_o) OUT(plan_data_o))
