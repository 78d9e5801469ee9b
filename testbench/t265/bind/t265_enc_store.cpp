#include "harness.hpp"
#include "Vt265_enc_store.h"

BENCH(Vt265_enc_store,
      IN(take_valid_i) IN(take_thread_i) IN(head_valid_i) IN(head_data_i) IN(lev_valid_i) IN(lev_data_i) IN(word_ready_i)
      OUT(room_o) OUT(word_valid_o) OUT(word_data_o) OUT(turn_o))
