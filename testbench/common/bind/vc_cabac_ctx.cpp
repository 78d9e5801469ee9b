#include "harness.hpp"
#include "Vvc_cabac_ctx.h"

BENCH(Vvc_cabac_ctx,
      IN(code_i) IN(init_i) IN(ctx_i) IN(bin_i) IN(value_i)
      OUT(state_o) OUT(lps_o))
