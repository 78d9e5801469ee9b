#include "harness.hpp"
#include "Vt264_inverse4.h"

BENCH(Vt264_inverse4, IN(in_i) OUT(out_o))
