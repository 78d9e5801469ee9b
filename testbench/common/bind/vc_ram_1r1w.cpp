#include "harness.hpp"
#include "Vvc_ram_1r1w.h"

BENCH(Vvc_ram_1r1w,
      IN(we_i) IN(waddr_i) IN(wdata_i) IN(re_i) IN(raddr_i)
      OUT(rdata_o))
