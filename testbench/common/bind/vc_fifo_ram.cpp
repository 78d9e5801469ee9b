#include "harness.hpp"
#include "Vvc_fifo_ram.h"

BENCH(Vvc_fifo_ram,
      IN(in_valid_i) IN(in_data_i) IN(out_ready_i)
      OUT(in_ready_o) OUT(out_valid_o) OUT(out_data_o))
