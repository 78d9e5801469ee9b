#include "harness.hpp"
#include "Vvc_ram_ff2.h"

BENCH(Vvc_ram_ff2,
      IN(we_i) IN(waddr_i) IN(wdata_i) IN(raddr0_i) IN(raddr1_i)
      OUT(rdata0_o) OUT(rdata1_o))
