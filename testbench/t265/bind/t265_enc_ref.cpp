#include "harness.hpp"
#include "Vt265_enc_ref.h"

BENCH(Vt265_enc_ref,
      IN(job_valid_i) IN(job_data_i) IN(entered_valid_i) IN(entered_thread_i) IN(entered_x_i) IN(line_valid_i) IN(line_data_i) IN(out_ready_i)
      OUT(job_ready_o) OUT(out_valid_o) OUT(out_data_o))
