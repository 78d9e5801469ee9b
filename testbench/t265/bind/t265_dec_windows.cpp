#include "harness.hpp"
#include "Vt265_dec_windows.h"

BENCH(Vt265_dec_windows,
      IN(job_valid_i) IN(job_i) IN(ref_ready_i) IN(sum_ready_i) IN(above_we_i) IN(left_we_i)
      IN(thread_i) IN(x_i) IN(y_i) IN(above_i) IN(left_i)
      OUT(job_ready_o) OUT(ref_valid_o) OUT(ref_o) OUT(sum_valid_o) OUT(sum_o))
