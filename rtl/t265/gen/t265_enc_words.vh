// Words between the units of the T.265 encoder: offset and width of each field. ThreadBits
// and XBits are parameters of the module that names them.
//
// Generated from t265/hw/token.go, t265/hwenc/path.go, mode.go and word.go
// by go generate. Do not edit.

`ifndef T265_ENC_WORDS_VH
`define T265_ENC_WORDS_VH

// FrameConfig
`define T265_CFG_THREAD      0 +: ThreadBits
`define T265_CFG_THREAD_AT   0
`define T265_CFG_THREAD_BITS ThreadBits
`define T265_CFG_QP          ThreadBits +: 6
`define T265_CFG_QP_AT       ThreadBits
`define T265_CFG_QP_BITS     6
`define T265_CFG_HIGH        ThreadBits + 6 +: 20
`define T265_CFG_HIGH_AT     (ThreadBits + 6)
`define T265_CFG_HIGH_BITS   20
`define T265_CFG_FINE        ThreadBits + 26
`define T265_CFG_FINE_AT     (ThreadBits + 26)
`define T265_CFG_FINE_BITS   1
`define T265_CFG_WIDTH       ThreadBits + 27 +: 10
`define T265_CFG_WIDTH_AT    (ThreadBits + 27)
`define T265_CFG_WIDTH_BITS  10
`define T265_CFG_HEIGHT      ThreadBits + 37 +: 10
`define T265_CFG_HEIGHT_AT   (ThreadBits + 37)
`define T265_CFG_HEIGHT_BITS 10
`define T265_CFG_BITS        (ThreadBits + 47)

// CTURequest
`define T265_REQ_THREAD      0 +: ThreadBits
`define T265_REQ_THREAD_AT   0
`define T265_REQ_THREAD_BITS ThreadBits
`define T265_REQ_X           ThreadBits +: 10
`define T265_REQ_X_AT        ThreadBits
`define T265_REQ_X_BITS      10
`define T265_REQ_Y           ThreadBits + 10 +: 10
`define T265_REQ_Y_AT        (ThreadBits + 10)
`define T265_REQ_Y_BITS      10
`define T265_REQ_LAST        ThreadBits + 20
`define T265_REQ_LAST_AT     (ThreadBits + 20)
`define T265_REQ_LAST_BITS   1
`define T265_REQ_BITS        (ThreadBits + 21)

// Job
`define T265_JOB_THREAD      0 +: ThreadBits
`define T265_JOB_THREAD_AT   0
`define T265_JOB_THREAD_BITS ThreadBits
`define T265_JOB_X           ThreadBits +: XBits
`define T265_JOB_X_AT        ThreadBits
`define T265_JOB_X_BITS      XBits
`define T265_JOB_QP          ThreadBits + XBits +: 6
`define T265_JOB_QP_AT       (ThreadBits + XBits)
`define T265_JOB_QP_BITS     6
`define T265_JOB_HIGH        ThreadBits + XBits + 6
`define T265_JOB_HIGH_AT     (ThreadBits + XBits + 6)
`define T265_JOB_HIGH_BITS   1
`define T265_JOB_FINE        ThreadBits + XBits + 7
`define T265_JOB_FINE_AT     (ThreadBits + XBits + 7)
`define T265_JOB_FINE_BITS   1
`define T265_JOB_FIRST       ThreadBits + XBits + 8
`define T265_JOB_FIRST_AT    (ThreadBits + XBits + 8)
`define T265_JOB_FIRST_BITS  1
`define T265_JOB_LAST        ThreadBits + XBits + 9
`define T265_JOB_LAST_AT     (ThreadBits + XBits + 9)
`define T265_JOB_LAST_BITS   1
`define T265_JOB_LEFT        ThreadBits + XBits + 10
`define T265_JOB_LEFT_AT     (ThreadBits + XBits + 10)
`define T265_JOB_LEFT_BITS   1
`define T265_JOB_ABOVE       ThreadBits + XBits + 11
`define T265_JOB_ABOVE_AT    (ThreadBits + XBits + 11)
`define T265_JOB_ABOVE_BITS  1
`define T265_JOB_RIGHT       ThreadBits + XBits + 12
`define T265_JOB_RIGHT_AT    (ThreadBits + XBits + 12)
`define T265_JOB_RIGHT_BITS  1
`define T265_JOB_BITS        (ThreadBits + XBits + 13)

// RefJob
`define T265_REF_JOB         0 +: ThreadBits + XBits + 13
`define T265_REF_JOB_AT      0
`define T265_REF_JOB_BITS    (ThreadBits + XBits + 13)
`define T265_REF_THREAD      0 +: ThreadBits
`define T265_REF_THREAD_AT   0
`define T265_REF_THREAD_BITS ThreadBits
`define T265_REF_X           ThreadBits +: XBits
`define T265_REF_X_AT        ThreadBits
`define T265_REF_X_BITS      XBits
`define T265_REF_QP          ThreadBits + XBits +: 6
`define T265_REF_QP_AT       (ThreadBits + XBits)
`define T265_REF_QP_BITS     6
`define T265_REF_HIGH        ThreadBits + XBits + 6
`define T265_REF_HIGH_AT     (ThreadBits + XBits + 6)
`define T265_REF_HIGH_BITS   1
`define T265_REF_FINE        ThreadBits + XBits + 7
`define T265_REF_FINE_AT     (ThreadBits + XBits + 7)
`define T265_REF_FINE_BITS   1
`define T265_REF_FIRST       ThreadBits + XBits + 8
`define T265_REF_FIRST_AT    (ThreadBits + XBits + 8)
`define T265_REF_FIRST_BITS  1
`define T265_REF_LAST        ThreadBits + XBits + 9
`define T265_REF_LAST_AT     (ThreadBits + XBits + 9)
`define T265_REF_LAST_BITS   1
`define T265_REF_LEFT        ThreadBits + XBits + 10
`define T265_REF_LEFT_AT     (ThreadBits + XBits + 10)
`define T265_REF_LEFT_BITS   1
`define T265_REF_ABOVE       ThreadBits + XBits + 11
`define T265_REF_ABOVE_AT    (ThreadBits + XBits + 11)
`define T265_REF_ABOVE_BITS  1
`define T265_REF_RIGHT       ThreadBits + XBits + 12
`define T265_REF_RIGHT_AT    (ThreadBits + XBits + 12)
`define T265_REF_RIGHT_BITS  1
`define T265_REF_ROW         ThreadBits + XBits + 13 +: 144
`define T265_REF_ROW_AT      (ThreadBits + XBits + 13)
`define T265_REF_ROW_BITS    144
`define T265_REF_ROW_EACH    8
`define T265_REF_CORNER      ThreadBits + XBits + 157 +: 8
`define T265_REF_CORNER_AT   (ThreadBits + XBits + 157)
`define T265_REF_CORNER_BITS 8
`define T265_REF_BITS        (ThreadBits + XBits + 165)

// Plan
`define T265_PLAN_REF_JOB      0 +: ThreadBits + XBits + 165
`define T265_PLAN_REF_JOB_AT   0
`define T265_PLAN_REF_JOB_BITS (ThreadBits + XBits + 165)
`define T265_PLAN_JOB          0 +: ThreadBits + XBits + 13
`define T265_PLAN_JOB_AT       0
`define T265_PLAN_JOB_BITS     (ThreadBits + XBits + 13)
`define T265_PLAN_THREAD       0 +: ThreadBits
`define T265_PLAN_THREAD_AT    0
`define T265_PLAN_THREAD_BITS  ThreadBits
`define T265_PLAN_X            ThreadBits +: XBits
`define T265_PLAN_X_AT         ThreadBits
`define T265_PLAN_X_BITS       XBits
`define T265_PLAN_QP           ThreadBits + XBits +: 6
`define T265_PLAN_QP_AT        (ThreadBits + XBits)
`define T265_PLAN_QP_BITS      6
`define T265_PLAN_HIGH         ThreadBits + XBits + 6
`define T265_PLAN_HIGH_AT      (ThreadBits + XBits + 6)
`define T265_PLAN_HIGH_BITS    1
`define T265_PLAN_FINE         ThreadBits + XBits + 7
`define T265_PLAN_FINE_AT      (ThreadBits + XBits + 7)
`define T265_PLAN_FINE_BITS    1
`define T265_PLAN_FIRST        ThreadBits + XBits + 8
`define T265_PLAN_FIRST_AT     (ThreadBits + XBits + 8)
`define T265_PLAN_FIRST_BITS   1
`define T265_PLAN_LAST         ThreadBits + XBits + 9
`define T265_PLAN_LAST_AT      (ThreadBits + XBits + 9)
`define T265_PLAN_LAST_BITS    1
`define T265_PLAN_LEFT         ThreadBits + XBits + 10
`define T265_PLAN_LEFT_AT      (ThreadBits + XBits + 10)
`define T265_PLAN_LEFT_BITS    1
`define T265_PLAN_ABOVE        ThreadBits + XBits + 11
`define T265_PLAN_ABOVE_AT     (ThreadBits + XBits + 11)
`define T265_PLAN_ABOVE_BITS   1
`define T265_PLAN_RIGHT        ThreadBits + XBits + 12
`define T265_PLAN_RIGHT_AT     (ThreadBits + XBits + 12)
`define T265_PLAN_RIGHT_BITS   1
`define T265_PLAN_ROW          ThreadBits + XBits + 13 +: 144
`define T265_PLAN_ROW_AT       (ThreadBits + XBits + 13)
`define T265_PLAN_ROW_BITS     144
`define T265_PLAN_ROW_EACH     8
`define T265_PLAN_CORNER       ThreadBits + XBits + 157 +: 8
`define T265_PLAN_CORNER_AT    (ThreadBits + XBits + 157)
`define T265_PLAN_CORNER_BITS  8
`define T265_PLAN_MODE         ThreadBits + XBits + 165 +: 2
`define T265_PLAN_MODE_AT      (ThreadBits + XBits + 165)
`define T265_PLAN_MODE_BITS    2
`define T265_PLAN_SPLIT        ThreadBits + XBits + 167
`define T265_PLAN_SPLIT_AT     (ThreadBits + XBits + 167)
`define T265_PLAN_SPLIT_BITS   1
`define T265_PLAN_SPLIT8       ThreadBits + XBits + 168 +: 4
`define T265_PLAN_SPLIT8_AT    (ThreadBits + XBits + 168)
`define T265_PLAN_SPLIT8_BITS  4
`define T265_PLAN_BITS         (ThreadBits + XBits + 172)

// Chosen
`define T265_CHOSEN_REF_JOB      0 +: ThreadBits + XBits + 165
`define T265_CHOSEN_REF_JOB_AT   0
`define T265_CHOSEN_REF_JOB_BITS (ThreadBits + XBits + 165)
`define T265_CHOSEN_JOB          0 +: ThreadBits + XBits + 13
`define T265_CHOSEN_JOB_AT       0
`define T265_CHOSEN_JOB_BITS     (ThreadBits + XBits + 13)
`define T265_CHOSEN_THREAD       0 +: ThreadBits
`define T265_CHOSEN_THREAD_AT    0
`define T265_CHOSEN_THREAD_BITS  ThreadBits
`define T265_CHOSEN_X            ThreadBits +: XBits
`define T265_CHOSEN_X_AT         ThreadBits
`define T265_CHOSEN_X_BITS       XBits
`define T265_CHOSEN_QP           ThreadBits + XBits +: 6
`define T265_CHOSEN_QP_AT        (ThreadBits + XBits)
`define T265_CHOSEN_QP_BITS      6
`define T265_CHOSEN_HIGH         ThreadBits + XBits + 6
`define T265_CHOSEN_HIGH_AT      (ThreadBits + XBits + 6)
`define T265_CHOSEN_HIGH_BITS    1
`define T265_CHOSEN_FINE         ThreadBits + XBits + 7
`define T265_CHOSEN_FINE_AT      (ThreadBits + XBits + 7)
`define T265_CHOSEN_FINE_BITS    1
`define T265_CHOSEN_FIRST        ThreadBits + XBits + 8
`define T265_CHOSEN_FIRST_AT     (ThreadBits + XBits + 8)
`define T265_CHOSEN_FIRST_BITS   1
`define T265_CHOSEN_LAST         ThreadBits + XBits + 9
`define T265_CHOSEN_LAST_AT      (ThreadBits + XBits + 9)
`define T265_CHOSEN_LAST_BITS    1
`define T265_CHOSEN_LEFT         ThreadBits + XBits + 10
`define T265_CHOSEN_LEFT_AT      (ThreadBits + XBits + 10)
`define T265_CHOSEN_LEFT_BITS    1
`define T265_CHOSEN_ABOVE        ThreadBits + XBits + 11
`define T265_CHOSEN_ABOVE_AT     (ThreadBits + XBits + 11)
`define T265_CHOSEN_ABOVE_BITS   1
`define T265_CHOSEN_RIGHT        ThreadBits + XBits + 12
`define T265_CHOSEN_RIGHT_AT     (ThreadBits + XBits + 12)
`define T265_CHOSEN_RIGHT_BITS   1
`define T265_CHOSEN_ROW          ThreadBits + XBits + 13 +: 144
`define T265_CHOSEN_ROW_AT       (ThreadBits + XBits + 13)
`define T265_CHOSEN_ROW_BITS     144
`define T265_CHOSEN_ROW_EACH     8
`define T265_CHOSEN_CORNER       ThreadBits + XBits + 157 +: 8
`define T265_CHOSEN_CORNER_AT    (ThreadBits + XBits + 157)
`define T265_CHOSEN_CORNER_BITS  8
`define T265_CHOSEN_SIDE         ThreadBits + XBits + 165 +: 128
`define T265_CHOSEN_SIDE_AT      (ThreadBits + XBits + 165)
`define T265_CHOSEN_SIDE_BITS    128
`define T265_CHOSEN_SIDE_EACH    8
`define T265_CHOSEN_DC           ThreadBits + XBits + 293 +: 8
`define T265_CHOSEN_DC_AT        (ThreadBits + XBits + 293)
`define T265_CHOSEN_DC_BITS      8
`define T265_CHOSEN_MODE         ThreadBits + XBits + 301 +: 2
`define T265_CHOSEN_MODE_AT      (ThreadBits + XBits + 301)
`define T265_CHOSEN_MODE_BITS    2
`define T265_CHOSEN_BITS         (ThreadBits + XBits + 303)

// Head
`define T265_HEAD_THREAD      0 +: ThreadBits
`define T265_HEAD_THREAD_AT   0
`define T265_HEAD_THREAD_BITS ThreadBits
`define T265_HEAD_QP          ThreadBits +: 6
`define T265_HEAD_QP_AT       ThreadBits
`define T265_HEAD_QP_BITS     6
`define T265_HEAD_HIGH        ThreadBits + 6
`define T265_HEAD_HIGH_AT     (ThreadBits + 6)
`define T265_HEAD_HIGH_BITS   1
`define T265_HEAD_FINE        ThreadBits + 7
`define T265_HEAD_FINE_AT     (ThreadBits + 7)
`define T265_HEAD_FINE_BITS   1
`define T265_HEAD_FIRST       ThreadBits + 8
`define T265_HEAD_FIRST_AT    (ThreadBits + 8)
`define T265_HEAD_FIRST_BITS  1
`define T265_HEAD_LAST        ThreadBits + 9
`define T265_HEAD_LAST_AT     (ThreadBits + 9)
`define T265_HEAD_LAST_BITS   1
`define T265_HEAD_LEFT        ThreadBits + 10
`define T265_HEAD_LEFT_AT     (ThreadBits + 10)
`define T265_HEAD_LEFT_BITS   1
`define T265_HEAD_MODE        ThreadBits + 11 +: 2
`define T265_HEAD_MODE_AT     (ThreadBits + 11)
`define T265_HEAD_MODE_BITS   2
`define T265_HEAD_SPLIT       ThreadBits + 13
`define T265_HEAD_SPLIT_AT    (ThreadBits + 13)
`define T265_HEAD_SPLIT_BITS  1
`define T265_HEAD_SPLIT8      ThreadBits + 14 +: 4
`define T265_HEAD_SPLIT8_AT   (ThreadBits + 14)
`define T265_HEAD_SPLIT8_BITS 4
`define T265_HEAD_BITS        (ThreadBits + 18)

// Tag
`define T265_TAG_THREAD       0 +: ThreadBits
`define T265_TAG_THREAD_AT    0
`define T265_TAG_THREAD_BITS  ThreadBits
`define T265_TAG_CX           ThreadBits +: 2
`define T265_TAG_CX_AT        ThreadBits
`define T265_TAG_CX_BITS      2
`define T265_TAG_CY           ThreadBits + 2 +: 2
`define T265_TAG_CY_AT        (ThreadBits + 2)
`define T265_TAG_CY_BITS      2
`define T265_TAG_MODE         ThreadBits + 4 +: 2
`define T265_TAG_MODE_AT      (ThreadBits + 4)
`define T265_TAG_MODE_BITS    2
`define T265_TAG_QP           ThreadBits + 6 +: 6
`define T265_TAG_QP_AT        (ThreadBits + 6)
`define T265_TAG_QP_BITS      6
`define T265_TAG_LAST_TU      ThreadBits + 12
`define T265_TAG_LAST_TU_AT   (ThreadBits + 12)
`define T265_TAG_LAST_TU_BITS 1
`define T265_TAG_LOG2         ThreadBits + 13 +: 2
`define T265_TAG_LOG2_AT      (ThreadBits + 13)
`define T265_TAG_LOG2_BITS    2
`define T265_TAG_BITS         (ThreadBits + 15)

// TU
`define T265_TU_TAG          0 +: ThreadBits + 15
`define T265_TU_TAG_AT       0
`define T265_TU_TAG_BITS     (ThreadBits + 15)
`define T265_TU_THREAD       0 +: ThreadBits
`define T265_TU_THREAD_AT    0
`define T265_TU_THREAD_BITS  ThreadBits
`define T265_TU_CX           ThreadBits +: 2
`define T265_TU_CX_AT        ThreadBits
`define T265_TU_CX_BITS      2
`define T265_TU_CY           ThreadBits + 2 +: 2
`define T265_TU_CY_AT        (ThreadBits + 2)
`define T265_TU_CY_BITS      2
`define T265_TU_MODE         ThreadBits + 4 +: 2
`define T265_TU_MODE_AT      (ThreadBits + 4)
`define T265_TU_MODE_BITS    2
`define T265_TU_QP           ThreadBits + 6 +: 6
`define T265_TU_QP_AT        (ThreadBits + 6)
`define T265_TU_QP_BITS      6
`define T265_TU_LAST_TU      ThreadBits + 12
`define T265_TU_LAST_TU_AT   (ThreadBits + 12)
`define T265_TU_LAST_TU_BITS 1
`define T265_TU_LOG2         ThreadBits + 13 +: 2
`define T265_TU_LOG2_AT      (ThreadBits + 13)
`define T265_TU_LOG2_BITS    2
`define T265_TU_FIRST        ThreadBits + 15
`define T265_TU_FIRST_AT     (ThreadBits + 15)
`define T265_TU_FIRST_BITS   1
`define T265_TU_LEFT         ThreadBits + 16
`define T265_TU_LEFT_AT      (ThreadBits + 16)
`define T265_TU_LEFT_BITS    1
`define T265_TU_ABOVE        ThreadBits + 17
`define T265_TU_ABOVE_AT     (ThreadBits + 17)
`define T265_TU_ABOVE_BITS   1
`define T265_TU_RIGHT        ThreadBits + 18
`define T265_TU_RIGHT_AT     (ThreadBits + 18)
`define T265_TU_RIGHT_BITS   1
`define T265_TU_BITS         (ThreadBits + 19)

// FirstTU
`define T265_FIRST_TU           0 +: ThreadBits + 19
`define T265_FIRST_TU_AT        0
`define T265_FIRST_TU_BITS      (ThreadBits + 19)
`define T265_FIRST_TAG          0 +: ThreadBits + 15
`define T265_FIRST_TAG_AT       0
`define T265_FIRST_TAG_BITS     (ThreadBits + 15)
`define T265_FIRST_THREAD       0 +: ThreadBits
`define T265_FIRST_THREAD_AT    0
`define T265_FIRST_THREAD_BITS  ThreadBits
`define T265_FIRST_CX           ThreadBits +: 2
`define T265_FIRST_CX_AT        ThreadBits
`define T265_FIRST_CX_BITS      2
`define T265_FIRST_CY           ThreadBits + 2 +: 2
`define T265_FIRST_CY_AT        (ThreadBits + 2)
`define T265_FIRST_CY_BITS      2
`define T265_FIRST_MODE         ThreadBits + 4 +: 2
`define T265_FIRST_MODE_AT      (ThreadBits + 4)
`define T265_FIRST_MODE_BITS    2
`define T265_FIRST_QP           ThreadBits + 6 +: 6
`define T265_FIRST_QP_AT        (ThreadBits + 6)
`define T265_FIRST_QP_BITS      6
`define T265_FIRST_LAST_TU      ThreadBits + 12
`define T265_FIRST_LAST_TU_AT   (ThreadBits + 12)
`define T265_FIRST_LAST_TU_BITS 1
`define T265_FIRST_LOG2         ThreadBits + 13 +: 2
`define T265_FIRST_LOG2_AT      (ThreadBits + 13)
`define T265_FIRST_LOG2_BITS    2
`define T265_FIRST_FIRST        ThreadBits + 15
`define T265_FIRST_FIRST_AT     (ThreadBits + 15)
`define T265_FIRST_FIRST_BITS   1
`define T265_FIRST_LEFT         ThreadBits + 16
`define T265_FIRST_LEFT_AT      (ThreadBits + 16)
`define T265_FIRST_LEFT_BITS    1
`define T265_FIRST_ABOVE        ThreadBits + 17
`define T265_FIRST_ABOVE_AT     (ThreadBits + 17)
`define T265_FIRST_ABOVE_BITS   1
`define T265_FIRST_RIGHT        ThreadBits + 18
`define T265_FIRST_RIGHT_AT     (ThreadBits + 18)
`define T265_FIRST_RIGHT_BITS   1
`define T265_FIRST_ROW          ThreadBits + 19 +: 144
`define T265_FIRST_ROW_AT       (ThreadBits + 19)
`define T265_FIRST_ROW_BITS     144
`define T265_FIRST_ROW_EACH     8
`define T265_FIRST_CORNER       ThreadBits + 163 +: 8
`define T265_FIRST_CORNER_AT    (ThreadBits + 163)
`define T265_FIRST_CORNER_BITS  8
`define T265_FIRST_BITS         (ThreadBits + 171)

// Residual
`define T265_RES_TAG          0 +: ThreadBits + 15
`define T265_RES_TAG_AT       0
`define T265_RES_TAG_BITS     (ThreadBits + 15)
`define T265_RES_THREAD       0 +: ThreadBits
`define T265_RES_THREAD_AT    0
`define T265_RES_THREAD_BITS  ThreadBits
`define T265_RES_CX           ThreadBits +: 2
`define T265_RES_CX_AT        ThreadBits
`define T265_RES_CX_BITS      2
`define T265_RES_CY           ThreadBits + 2 +: 2
`define T265_RES_CY_AT        (ThreadBits + 2)
`define T265_RES_CY_BITS      2
`define T265_RES_MODE         ThreadBits + 4 +: 2
`define T265_RES_MODE_AT      (ThreadBits + 4)
`define T265_RES_MODE_BITS    2
`define T265_RES_QP           ThreadBits + 6 +: 6
`define T265_RES_QP_AT        (ThreadBits + 6)
`define T265_RES_QP_BITS      6
`define T265_RES_LAST_TU      ThreadBits + 12
`define T265_RES_LAST_TU_AT   (ThreadBits + 12)
`define T265_RES_LAST_TU_BITS 1
`define T265_RES_LOG2         ThreadBits + 13 +: 2
`define T265_RES_LOG2_AT      (ThreadBits + 13)
`define T265_RES_LOG2_BITS    2
`define T265_RES_VALUES       ThreadBits + 15 +: 72
`define T265_RES_VALUES_AT    (ThreadBits + 15)
`define T265_RES_VALUES_BITS  72
`define T265_RES_VALUES_EACH  9
`define T265_RES_BITS         (ThreadBits + 87)

// SkipResidual
`define T265_SKIP_TAG          0 +: ThreadBits + 15
`define T265_SKIP_TAG_AT       0
`define T265_SKIP_TAG_BITS     (ThreadBits + 15)
`define T265_SKIP_THREAD       0 +: ThreadBits
`define T265_SKIP_THREAD_AT    0
`define T265_SKIP_THREAD_BITS  ThreadBits
`define T265_SKIP_CX           ThreadBits +: 2
`define T265_SKIP_CX_AT        ThreadBits
`define T265_SKIP_CX_BITS      2
`define T265_SKIP_CY           ThreadBits + 2 +: 2
`define T265_SKIP_CY_AT        (ThreadBits + 2)
`define T265_SKIP_CY_BITS      2
`define T265_SKIP_MODE         ThreadBits + 4 +: 2
`define T265_SKIP_MODE_AT      (ThreadBits + 4)
`define T265_SKIP_MODE_BITS    2
`define T265_SKIP_QP           ThreadBits + 6 +: 6
`define T265_SKIP_QP_AT        (ThreadBits + 6)
`define T265_SKIP_QP_BITS      6
`define T265_SKIP_LAST_TU      ThreadBits + 12
`define T265_SKIP_LAST_TU_AT   (ThreadBits + 12)
`define T265_SKIP_LAST_TU_BITS 1
`define T265_SKIP_LOG2         ThreadBits + 13 +: 2
`define T265_SKIP_LOG2_AT      (ThreadBits + 13)
`define T265_SKIP_LOG2_BITS    2
`define T265_SKIP_VALUES       ThreadBits + 15 +: 72
`define T265_SKIP_VALUES_AT    (ThreadBits + 15)
`define T265_SKIP_VALUES_BITS  72
`define T265_SKIP_VALUES_EACH  9
`define T265_SKIP_BITS         (ThreadBits + 87)

// Coefs
`define T265_COEF_TAG          0 +: ThreadBits + 15
`define T265_COEF_TAG_AT       0
`define T265_COEF_TAG_BITS     (ThreadBits + 15)
`define T265_COEF_THREAD       0 +: ThreadBits
`define T265_COEF_THREAD_AT    0
`define T265_COEF_THREAD_BITS  ThreadBits
`define T265_COEF_CX           ThreadBits +: 2
`define T265_COEF_CX_AT        ThreadBits
`define T265_COEF_CX_BITS      2
`define T265_COEF_CY           ThreadBits + 2 +: 2
`define T265_COEF_CY_AT        (ThreadBits + 2)
`define T265_COEF_CY_BITS      2
`define T265_COEF_MODE         ThreadBits + 4 +: 2
`define T265_COEF_MODE_AT      (ThreadBits + 4)
`define T265_COEF_MODE_BITS    2
`define T265_COEF_QP           ThreadBits + 6 +: 6
`define T265_COEF_QP_AT        (ThreadBits + 6)
`define T265_COEF_QP_BITS      6
`define T265_COEF_LAST_TU      ThreadBits + 12
`define T265_COEF_LAST_TU_AT   (ThreadBits + 12)
`define T265_COEF_LAST_TU_BITS 1
`define T265_COEF_LOG2         ThreadBits + 13 +: 2
`define T265_COEF_LOG2_AT      (ThreadBits + 13)
`define T265_COEF_LOG2_BITS    2
`define T265_COEF_VALUES       ThreadBits + 15 +: 128
`define T265_COEF_VALUES_AT    (ThreadBits + 15)
`define T265_COEF_VALUES_BITS  128
`define T265_COEF_VALUES_EACH  16
`define T265_COEF_BITS         (ThreadBits + 143)

// SkipScaled
`define T265_SCALED_TAG          0 +: ThreadBits + 15
`define T265_SCALED_TAG_AT       0
`define T265_SCALED_TAG_BITS     (ThreadBits + 15)
`define T265_SCALED_THREAD       0 +: ThreadBits
`define T265_SCALED_THREAD_AT    0
`define T265_SCALED_THREAD_BITS  ThreadBits
`define T265_SCALED_CX           ThreadBits +: 2
`define T265_SCALED_CX_AT        ThreadBits
`define T265_SCALED_CX_BITS      2
`define T265_SCALED_CY           ThreadBits + 2 +: 2
`define T265_SCALED_CY_AT        (ThreadBits + 2)
`define T265_SCALED_CY_BITS      2
`define T265_SCALED_MODE         ThreadBits + 4 +: 2
`define T265_SCALED_MODE_AT      (ThreadBits + 4)
`define T265_SCALED_MODE_BITS    2
`define T265_SCALED_QP           ThreadBits + 6 +: 6
`define T265_SCALED_QP_AT        (ThreadBits + 6)
`define T265_SCALED_QP_BITS      6
`define T265_SCALED_LAST_TU      ThreadBits + 12
`define T265_SCALED_LAST_TU_AT   (ThreadBits + 12)
`define T265_SCALED_LAST_TU_BITS 1
`define T265_SCALED_LOG2         ThreadBits + 13 +: 2
`define T265_SCALED_LOG2_AT      (ThreadBits + 13)
`define T265_SCALED_LOG2_BITS    2
`define T265_SCALED_VALUES       ThreadBits + 15 +: 128
`define T265_SCALED_VALUES_AT    (ThreadBits + 15)
`define T265_SCALED_VALUES_BITS  128
`define T265_SCALED_VALUES_EACH  16
`define T265_SCALED_BITS         (ThreadBits + 143)

// SubLevels
`define T265_LEV_TAG           0 +: ThreadBits + 15
`define T265_LEV_TAG_AT        0
`define T265_LEV_TAG_BITS      (ThreadBits + 15)
`define T265_LEV_THREAD        0 +: ThreadBits
`define T265_LEV_THREAD_AT     0
`define T265_LEV_THREAD_BITS   ThreadBits
`define T265_LEV_CX            ThreadBits +: 2
`define T265_LEV_CX_AT         ThreadBits
`define T265_LEV_CX_BITS       2
`define T265_LEV_CY            ThreadBits + 2 +: 2
`define T265_LEV_CY_AT         (ThreadBits + 2)
`define T265_LEV_CY_BITS       2
`define T265_LEV_MODE          ThreadBits + 4 +: 2
`define T265_LEV_MODE_AT       (ThreadBits + 4)
`define T265_LEV_MODE_BITS     2
`define T265_LEV_QP            ThreadBits + 6 +: 6
`define T265_LEV_QP_AT         (ThreadBits + 6)
`define T265_LEV_QP_BITS       6
`define T265_LEV_LAST_TU       ThreadBits + 12
`define T265_LEV_LAST_TU_AT    (ThreadBits + 12)
`define T265_LEV_LAST_TU_BITS  1
`define T265_LEV_LOG2          ThreadBits + 13 +: 2
`define T265_LEV_LOG2_AT       (ThreadBits + 13)
`define T265_LEV_LOG2_BITS     2
`define T265_LEV_SX            ThreadBits + 15 +: 2
`define T265_LEV_SX_AT         (ThreadBits + 15)
`define T265_LEV_SX_BITS       2
`define T265_LEV_SY            ThreadBits + 17 +: 2
`define T265_LEV_SY_AT         (ThreadBits + 17)
`define T265_LEV_SY_BITS       2
`define T265_LEV_SCAN          ThreadBits + 19 +: 2
`define T265_LEV_SCAN_AT       (ThreadBits + 19)
`define T265_LEV_SCAN_BITS     2
`define T265_LEV_MASK          ThreadBits + 21 +: 16
`define T265_LEV_MASK_AT       (ThreadBits + 21)
`define T265_LEV_MASK_BITS     16
`define T265_LEV_LEVELS        ThreadBits + 37 +: 256
`define T265_LEV_LEVELS_AT     (ThreadBits + 37)
`define T265_LEV_LEVELS_BITS   256
`define T265_LEV_LEVELS_EACH   16
`define T265_LEV_LAST_SUB      ThreadBits + 293
`define T265_LEV_LAST_SUB_AT   (ThreadBits + 293)
`define T265_LEV_LAST_SUB_BITS 1
`define T265_LEV_BITS          (ThreadBits + 294)

// placeWord
`define T265_PLACE_WIDTH       0 +: 10
`define T265_PLACE_WIDTH_AT    0
`define T265_PLACE_WIDTH_BITS  10
`define T265_PLACE_HEIGHT      10 +: 10
`define T265_PLACE_HEIGHT_AT   10
`define T265_PLACE_HEIGHT_BITS 10
`define T265_PLACE_QP          20 +: 6
`define T265_PLACE_QP_AT       20
`define T265_PLACE_QP_BITS     6
`define T265_PLACE_HIGH        26 +: 20
`define T265_PLACE_HIGH_AT     26
`define T265_PLACE_HIGH_BITS   20
`define T265_PLACE_FINE        46
`define T265_PLACE_FINE_AT     46
`define T265_PLACE_FINE_BITS   1
`define T265_PLACE_X           47 +: XBits
`define T265_PLACE_X_AT        47
`define T265_PLACE_X_BITS      XBits
`define T265_PLACE_Y           XBits + 47 +: 10
`define T265_PLACE_Y_AT        (XBits + 47)
`define T265_PLACE_Y_BITS      10
`define T265_PLACE_BITS        (XBits + 57)

// walkWord
`define T265_WALK_X           0 +: XBits
`define T265_WALK_X_AT        0
`define T265_WALK_X_BITS      XBits
`define T265_WALK_QP          XBits +: 6
`define T265_WALK_QP_AT       XBits
`define T265_WALK_QP_BITS     6
`define T265_WALK_HIGH        XBits + 6
`define T265_WALK_HIGH_AT     (XBits + 6)
`define T265_WALK_HIGH_BITS   1
`define T265_WALK_FINE        XBits + 7
`define T265_WALK_FINE_AT     (XBits + 7)
`define T265_WALK_FINE_BITS   1
`define T265_WALK_FIRST       XBits + 8
`define T265_WALK_FIRST_AT    (XBits + 8)
`define T265_WALK_FIRST_BITS  1
`define T265_WALK_LAST        XBits + 9
`define T265_WALK_LAST_AT     (XBits + 9)
`define T265_WALK_LAST_BITS   1
`define T265_WALK_LEFT        XBits + 10
`define T265_WALK_LEFT_AT     (XBits + 10)
`define T265_WALK_LEFT_BITS   1
`define T265_WALK_ABOVE       XBits + 11
`define T265_WALK_ABOVE_AT    (XBits + 11)
`define T265_WALK_ABOVE_BITS  1
`define T265_WALK_RIGHT       XBits + 12
`define T265_WALK_RIGHT_AT    (XBits + 12)
`define T265_WALK_RIGHT_BITS  1
`define T265_WALK_MODE        XBits + 13 +: 2
`define T265_WALK_MODE_AT     (XBits + 13)
`define T265_WALK_MODE_BITS   2
`define T265_WALK_SPLIT       XBits + 15
`define T265_WALK_SPLIT_AT    (XBits + 15)
`define T265_WALK_SPLIT_BITS  1
`define T265_WALK_SPLIT8      XBits + 16 +: 4
`define T265_WALK_SPLIT8_AT   (XBits + 16)
`define T265_WALK_SPLIT8_BITS 4
`define T265_WALK_BITS        (XBits + 20)

// Done
`define T265_DONE_THREAD       0 +: ThreadBits
`define T265_DONE_THREAD_AT    0
`define T265_DONE_THREAD_BITS  ThreadBits
`define T265_DONE_LAST_TU      ThreadBits
`define T265_DONE_LAST_TU_AT   ThreadBits
`define T265_DONE_LAST_TU_BITS 1
`define T265_DONE_BITS         (ThreadBits + 1)

// Line
`define T265_LINE_THREAD       0 +: ThreadBits
`define T265_LINE_THREAD_AT    0
`define T265_LINE_THREAD_BITS  ThreadBits
`define T265_LINE_SAMPLES      ThreadBits +: 128
`define T265_LINE_SAMPLES_AT   ThreadBits
`define T265_LINE_SAMPLES_BITS 128
`define T265_LINE_SAMPLES_EACH 8
`define T265_LINE_BITS         (ThreadBits + 128)

// BlockWord
`define T265_BLOCK_INIT          0
`define T265_BLOCK_INIT_AT       0
`define T265_BLOCK_INIT_BITS     1
`define T265_BLOCK_QP            1 +: 6
`define T265_BLOCK_QP_AT         1
`define T265_BLOCK_QP_BITS       6
`define T265_BLOCK_UNIT          7
`define T265_BLOCK_UNIT_AT       7
`define T265_BLOCK_UNIT_BITS     1
`define T265_BLOCK_PROBABLE      8
`define T265_BLOCK_PROBABLE_AT   8
`define T265_BLOCK_PROBABLE_BITS 1
`define T265_BLOCK_MODE          9 +: 5
`define T265_BLOCK_MODE_AT       9
`define T265_BLOCK_MODE_BITS     5
`define T265_BLOCK_TREES         14 +: 2
`define T265_BLOCK_TREES_AT      14
`define T265_BLOCK_TREES_BITS    2
`define T265_BLOCK_TREE_END      16
`define T265_BLOCK_TREE_END_AT   16
`define T265_BLOCK_TREE_END_BITS 1
`define T265_BLOCK_ROOT          17
`define T265_BLOCK_ROOT_AT       17
`define T265_BLOCK_ROOT_BITS     1
`define T265_BLOCK_CODED         18
`define T265_BLOCK_CODED_AT      18
`define T265_BLOCK_CODED_BITS    1
`define T265_BLOCK_DELTA         19 +: 2
`define T265_BLOCK_DELTA_AT      19
`define T265_BLOCK_DELTA_BITS    2
`define T265_BLOCK_SKIP          21
`define T265_BLOCK_SKIP_AT       21
`define T265_BLOCK_SKIP_BITS     1
`define T265_BLOCK_LOG2          22 +: 2
`define T265_BLOCK_LOG2_AT       22
`define T265_BLOCK_LOG2_BITS     2
`define T265_BLOCK_SCAN          24 +: 2
`define T265_BLOCK_SCAN_AT       24
`define T265_BLOCK_SCAN_BITS     2
`define T265_BLOCK_LAST_X        26 +: 5
`define T265_BLOCK_LAST_X_AT     26
`define T265_BLOCK_LAST_X_BITS   5
`define T265_BLOCK_LAST_Y        31 +: 5
`define T265_BLOCK_LAST_Y_AT     31
`define T265_BLOCK_LAST_Y_BITS   5
`define T265_BLOCK_HIDE          36
`define T265_BLOCK_HIDE_AT       36
`define T265_BLOCK_HIDE_BITS     1
`define T265_BLOCK_END_CTU       37
`define T265_BLOCK_END_CTU_AT    37
`define T265_BLOCK_END_CTU_BITS  1
`define T265_BLOCK_LAST          38
`define T265_BLOCK_LAST_AT       38
`define T265_BLOCK_LAST_BITS     1
`define T265_BLOCK_BITS          39

// SubBlockWord
`define T265_SUB_MASK         0 +: 16
`define T265_SUB_MASK_AT      0
`define T265_SUB_MASK_BITS    16
`define T265_SUB_GREATER      16 +: 16
`define T265_SUB_GREATER_AT   16
`define T265_SUB_GREATER_BITS 16
`define T265_SUB_SIGN         32 +: 16
`define T265_SUB_SIGN_AT      32
`define T265_SUB_SIGN_BITS    16
`define T265_SUB_TWO          48
`define T265_SUB_TWO_AT       48
`define T265_SUB_TWO_BITS     1
`define T265_SUB_AROUND       49 +: 2
`define T265_SUB_AROUND_AT    49
`define T265_SUB_AROUND_BITS  2
`define T265_SUB_DC           51
`define T265_SUB_DC_AT        51
`define T265_SUB_DC_BITS      1
`define T265_SUB_TOP          52
`define T265_SUB_TOP_AT       52
`define T265_SUB_TOP_BITS     1
`define T265_SUB_BITS         53

// LevelsWord
`define T265_LEVELS_LEVEL      0 +: 56
`define T265_LEVELS_LEVEL_AT   0
`define T265_LEVELS_LEVEL_BITS 56
`define T265_LEVELS_LEVEL_EACH 14
`define T265_LEVELS_BITS       56

// SliceWord
`define T265_SLICE_WORD        0 +: 69
`define T265_SLICE_WORD_AT     0
`define T265_SLICE_WORD_BITS   69
`define T265_SLICE_DATA        0 +: 64
`define T265_SLICE_DATA_AT     0
`define T265_SLICE_DATA_BITS   64
`define T265_SLICE_COUNT       64 +: 4
`define T265_SLICE_COUNT_AT    64
`define T265_SLICE_COUNT_BITS  4
`define T265_SLICE_LAST        68
`define T265_SLICE_LAST_AT     68
`define T265_SLICE_LAST_BITS   1
`define T265_SLICE_THREAD      69 +: ThreadBits
`define T265_SLICE_THREAD_AT   69
`define T265_SLICE_THREAD_BITS ThreadBits
`define T265_SLICE_BITS        (ThreadBits + 69)

`endif
