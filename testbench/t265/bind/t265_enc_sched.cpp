#include "harness.hpp"
#include "Vt265_enc_sched.h"

BENCH(Vt265_enc_sched,
      IN(cfg_valid_i) IN(cfg_data_i) IN(room_i) IN(free_i) IN(idle_i) IN(plan_valid_i) IN(plan_thread_i) IN(req_ready_i) IN(job_ready_i)
      OUT(cfg_ready_o) OUT(req_valid_o) OUT(req_data_o) OUT(job_valid_o) OUT(job_data_o))
