#include "harness.hpp"
#include "Vvc_ram_1rw.h"

BENCH(Vvc_ram_1rw,
      IN(en_i) IN(we_i) IN(addr_i) IN(wdata_i)
      OUT(rdata_o))
