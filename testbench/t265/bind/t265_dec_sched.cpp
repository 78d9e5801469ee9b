#include "harness.hpp"
#include "Vt265_dec_sched.h"

BENCH(Vt265_dec_sched,
      IN(in_valid_i) IN(in_thread_i) IN(in_tag_i) IN(in_data_i) IN(job_ready_i) IN(lev_ready_i)
      IN(done_i) IN(done_thread_i)
      OUT(in_ready_o) OUT(job_valid_o) OUT(job_o) OUT(lev_valid_o) OUT(lev_log2_o) OUT(lev_skip_o)
      OUT(lev_scan_o) OUT(lev_qp_o) OUT(lev_columns_o) OUT(lev_x_o) OUT(lev_y_o) OUT(lev_group_o)
      OUT(lev_last_o) OUT(lev_levels_o))
