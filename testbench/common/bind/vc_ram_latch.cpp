#include "harness.hpp"
#include "Vvc_ram_latch.h"

BENCH(Vvc_ram_latch,
      IN(we_i) IN(waddr_i) IN(wdata_i) IN(raddr_i)
      OUT(rdata_o))
