#include "harness.hpp"
#include "Vt265_context.h"

BENCH(Vt265_context,
      IN(init_i) IN(init_qp_i)
      OUT(set_valid_o) OUT(set_ctx_o) OUT(set_value_o) OUT(set_last_o))
