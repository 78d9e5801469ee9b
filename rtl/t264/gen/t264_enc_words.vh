// Words between the units of the T.264 encoder: offset and width of each field. ThreadBits,
// XBits and Values are parameters of the module that names them.
//
// Generated from t264/hw/token.go, t264/hwenc/sched.go, code.go and words_test.go
// by go generate. Do not edit.

`ifndef T264_ENC_WORDS_VH
`define T264_ENC_WORDS_VH

// FrameConfig
`define T264_CFG_THREAD      0 +: ThreadBits
`define T264_CFG_THREAD_AT   0
`define T264_CFG_THREAD_BITS ThreadBits
`define T264_CFG_WIDTH       ThreadBits +: XBits
`define T264_CFG_WIDTH_AT    ThreadBits
`define T264_CFG_WIDTH_BITS  XBits
`define T264_CFG_HEIGHT      ThreadBits + XBits +: 10
`define T264_CFG_HEIGHT_AT   (ThreadBits + XBits)
`define T264_CFG_HEIGHT_BITS 10
`define T264_CFG_QP16        ThreadBits + XBits + 10 +: 10
`define T264_CFG_QP16_AT     (ThreadBits + XBits + 10)
`define T264_CFG_QP16_BITS   10
`define T264_CFG_BITS        (ThreadBits + XBits + 20)

// MBRequest
`define T264_REQ_THREAD      0 +: ThreadBits
`define T264_REQ_THREAD_AT   0
`define T264_REQ_THREAD_BITS ThreadBits
`define T264_REQ_X           ThreadBits +: XBits
`define T264_REQ_X_AT        ThreadBits
`define T264_REQ_X_BITS      XBits
`define T264_REQ_Y           ThreadBits + XBits +: 10
`define T264_REQ_Y_AT        (ThreadBits + XBits)
`define T264_REQ_Y_BITS      10
`define T264_REQ_LAST        ThreadBits + XBits + 10
`define T264_REQ_LAST_AT     (ThreadBits + XBits + 10)
`define T264_REQ_LAST_BITS   1
`define T264_REQ_BITS        (ThreadBits + XBits + 11)

// placeWord
`define T264_PLACE_WIDTH        0 +: XBits
`define T264_PLACE_WIDTH_AT     0
`define T264_PLACE_WIDTH_BITS   XBits
`define T264_PLACE_HEIGHT       XBits +: 10
`define T264_PLACE_HEIGHT_AT    XBits
`define T264_PLACE_HEIGHT_BITS  10
`define T264_PLACE_QP16         XBits + 10 +: 10
`define T264_PLACE_QP16_AT      (XBits + 10)
`define T264_PLACE_QP16_BITS    10
`define T264_PLACE_X            XBits + 20 +: XBits
`define T264_PLACE_X_AT         (XBits + 20)
`define T264_PLACE_X_BITS       XBits
`define T264_PLACE_Y            2 * XBits + 20 +: 10
`define T264_PLACE_Y_AT         (2 * XBits + 20)
`define T264_PLACE_Y_BITS       10
`define T264_PLACE_ACC          2 * XBits + 30 +: 4
`define T264_PLACE_ACC_AT       (2 * XBits + 30)
`define T264_PLACE_ACC_BITS     4
`define T264_PLACE_HIGH         2 * XBits + 34
`define T264_PLACE_HIGH_AT      (2 * XBits + 34)
`define T264_PLACE_HIGH_BITS    1
`define T264_PLACE_CHANGED      2 * XBits + 35
`define T264_PLACE_CHANGED_AT   (2 * XBits + 35)
`define T264_PLACE_CHANGED_BITS 1
`define T264_PLACE_BITS         (2 * XBits + 36)

// job
`define T264_JOB_THREAD        0 +: ThreadBits
`define T264_JOB_THREAD_AT     0
`define T264_JOB_THREAD_BITS   ThreadBits
`define T264_JOB_X             ThreadBits +: XBits
`define T264_JOB_X_AT          ThreadBits
`define T264_JOB_X_BITS        XBits
`define T264_JOB_LAST          ThreadBits + XBits
`define T264_JOB_LAST_AT       (ThreadBits + XBits)
`define T264_JOB_LAST_BITS     1
`define T264_JOB_QP            ThreadBits + XBits + 1 +: 6
`define T264_JOB_QP_AT         (ThreadBits + XBits + 1)
`define T264_JOB_QP_BITS       6
`define T264_JOB_SLICE_QP      ThreadBits + XBits + 7 +: 6
`define T264_JOB_SLICE_QP_AT   (ThreadBits + XBits + 7)
`define T264_JOB_SLICE_QP_BITS 6
`define T264_JOB_DELTA         ThreadBits + XBits + 13 +: 2
`define T264_JOB_DELTA_AT      (ThreadBits + XBits + 13)
`define T264_JOB_DELTA_BITS    2
`define T264_JOB_CHANGED       ThreadBits + XBits + 15
`define T264_JOB_CHANGED_AT    (ThreadBits + XBits + 15)
`define T264_JOB_CHANGED_BITS  1
`define T264_JOB_LEFT          ThreadBits + XBits + 16
`define T264_JOB_LEFT_AT       (ThreadBits + XBits + 16)
`define T264_JOB_LEFT_BITS     1
`define T264_JOB_ABOVE         ThreadBits + XBits + 17
`define T264_JOB_ABOVE_AT      (ThreadBits + XBits + 17)
`define T264_JOB_ABOVE_BITS    1
`define T264_JOB_BITS          (ThreadBits + XBits + 18)

// token
`define T264_TOKEN_JOB              0 +: ThreadBits + XBits + 18
`define T264_TOKEN_JOB_AT           0
`define T264_TOKEN_JOB_BITS         (ThreadBits + XBits + 18)
`define T264_TOKEN_THREAD           0 +: ThreadBits
`define T264_TOKEN_THREAD_AT        0
`define T264_TOKEN_THREAD_BITS      ThreadBits
`define T264_TOKEN_X                ThreadBits +: XBits
`define T264_TOKEN_X_AT             ThreadBits
`define T264_TOKEN_X_BITS           XBits
`define T264_TOKEN_LAST             ThreadBits + XBits
`define T264_TOKEN_LAST_AT          (ThreadBits + XBits)
`define T264_TOKEN_LAST_BITS        1
`define T264_TOKEN_QP               ThreadBits + XBits + 1 +: 6
`define T264_TOKEN_QP_AT            (ThreadBits + XBits + 1)
`define T264_TOKEN_QP_BITS          6
`define T264_TOKEN_SLICE_QP         ThreadBits + XBits + 7 +: 6
`define T264_TOKEN_SLICE_QP_AT      (ThreadBits + XBits + 7)
`define T264_TOKEN_SLICE_QP_BITS    6
`define T264_TOKEN_DELTA            ThreadBits + XBits + 13 +: 2
`define T264_TOKEN_DELTA_AT         (ThreadBits + XBits + 13)
`define T264_TOKEN_DELTA_BITS       2
`define T264_TOKEN_CHANGED          ThreadBits + XBits + 15
`define T264_TOKEN_CHANGED_AT       (ThreadBits + XBits + 15)
`define T264_TOKEN_CHANGED_BITS     1
`define T264_TOKEN_LEFT             ThreadBits + XBits + 16
`define T264_TOKEN_LEFT_AT          (ThreadBits + XBits + 16)
`define T264_TOKEN_LEFT_BITS        1
`define T264_TOKEN_ABOVE            ThreadBits + XBits + 17
`define T264_TOKEN_ABOVE_AT         (ThreadBits + XBits + 17)
`define T264_TOKEN_ABOVE_BITS       1
`define T264_TOKEN_LEFT_CODED       ThreadBits + XBits + 18 +: 5
`define T264_TOKEN_LEFT_CODED_AT    (ThreadBits + XBits + 18)
`define T264_TOKEN_LEFT_CODED_BITS  5
`define T264_TOKEN_ABOVE_CODED      ThreadBits + XBits + 23 +: 5
`define T264_TOKEN_ABOVE_CODED_AT   (ThreadBits + XBits + 23)
`define T264_TOKEN_ABOVE_CODED_BITS 5
`define T264_TOKEN_MODE             ThreadBits + XBits + 28 +: 2
`define T264_TOKEN_MODE_AT          (ThreadBits + XBits + 28)
`define T264_TOKEN_MODE_BITS        2
`define T264_TOKEN_VECTOR           ThreadBits + XBits + 30 +: 128
`define T264_TOKEN_VECTOR_AT        (ThreadBits + XBits + 30)
`define T264_TOKEN_VECTOR_BITS      128
`define T264_TOKEN_VECTOR_EACH      8
`define T264_TOKEN_BITS             (ThreadBits + XBits + 158)

// coefs
`define T264_COEF_THREAD      0 +: ThreadBits
`define T264_COEF_THREAD_AT   0
`define T264_COEF_THREAD_BITS ThreadBits
`define T264_COEF_QP          ThreadBits +: 6
`define T264_COEF_QP_AT       ThreadBits
`define T264_COEF_QP_BITS     6
`define T264_COEF_BLOCK       ThreadBits + 6 +: 4
`define T264_COEF_BLOCK_AT    (ThreadBits + 6)
`define T264_COEF_BLOCK_BITS  4
`define T264_COEF_BEAT        ThreadBits + 10 +: (Values == 4 ? 2 : 1)
`define T264_COEF_BEAT_AT     (ThreadBits + 10)
`define T264_COEF_BEAT_BITS   ((Values == 4 ? 2 : 1))
`define T264_COEF_VALUES      ThreadBits + (Values == 4 ? 2 : 1) + 10 +: 15 * Values
`define T264_COEF_VALUES_AT   (ThreadBits + (Values == 4 ? 2 : 1) + 10)
`define T264_COEF_VALUES_BITS (15 * Values)
`define T264_COEF_BITS        (ThreadBits + (Values == 4 ? 2 : 1) + 15 * Values + 10)

// blockSum
`define T264_SUM_CODED      0
`define T264_SUM_CODED_AT   0
`define T264_SUM_CODED_BITS 1
`define T264_SUM_DC         1 +: 13
`define T264_SUM_DC_AT      1
`define T264_SUM_DC_BITS    13
`define T264_SUM_BITS       14

// blockEdge
`define T264_EDGE_QP          0 +: 6
`define T264_EDGE_QP_AT       0
`define T264_EDGE_QP_BITS     6
`define T264_EDGE_LEVELS      6 +: 180
`define T264_EDGE_LEVELS_AT   6
`define T264_EDGE_LEVELS_BITS 180
`define T264_EDGE_LEVELS_EACH 12
`define T264_EDGE_BITS        186

// borderDC
`define T264_DC_VALUE      0 +: 16
`define T264_DC_VALUE_AT   0
`define T264_DC_VALUE_BITS 16
`define T264_DC_PRED       16 +: 32
`define T264_DC_PRED_AT    16
`define T264_DC_PRED_BITS  32
`define T264_DC_PRED_EACH  8
`define T264_DC_BITS       48

// borderPlace
`define T264_BORDER_THREAD      0 +: ThreadBits
`define T264_BORDER_THREAD_AT   0
`define T264_BORDER_THREAD_BITS ThreadBits
`define T264_BORDER_X           ThreadBits +: XBits
`define T264_BORDER_X_AT        ThreadBits
`define T264_BORDER_X_BITS      XBits
`define T264_BORDER_BELOW       ThreadBits + XBits +: 5
`define T264_BORDER_BELOW_AT    (ThreadBits + XBits)
`define T264_BORDER_BELOW_BITS  5
`define T264_BORDER_BESIDE      ThreadBits + XBits + 5 +: 5
`define T264_BORDER_BESIDE_AT   (ThreadBits + XBits + 5)
`define T264_BORDER_BESIDE_BITS 5
`define T264_BORDER_BITS        (ThreadBits + XBits + 10)

// borderDone
`define T264_DONE_THREAD      0 +: ThreadBits
`define T264_DONE_THREAD_AT   0
`define T264_DONE_THREAD_BITS ThreadBits
`define T264_DONE_X           ThreadBits +: XBits
`define T264_DONE_X_AT        ThreadBits
`define T264_DONE_X_BITS      XBits
`define T264_DONE_BOTTOM      ThreadBits + XBits +: 128
`define T264_DONE_BOTTOM_AT   (ThreadBits + XBits)
`define T264_DONE_BOTTOM_BITS 128
`define T264_DONE_BOTTOM_EACH 8
`define T264_DONE_RIGHT       ThreadBits + XBits + 128 +: 128
`define T264_DONE_RIGHT_AT    (ThreadBits + XBits + 128)
`define T264_DONE_RIGHT_BITS  128
`define T264_DONE_RIGHT_EACH  8
`define T264_DONE_BELOW       ThreadBits + XBits + 256 +: 5
`define T264_DONE_BELOW_AT    (ThreadBits + XBits + 256)
`define T264_DONE_BELOW_BITS  5
`define T264_DONE_BESIDE      ThreadBits + XBits + 261 +: 5
`define T264_DONE_BESIDE_AT   (ThreadBits + XBits + 261)
`define T264_DONE_BESIDE_BITS 5
`define T264_DONE_BITS        (ThreadBits + XBits + 266)

// ACToken
`define T264_AC_THREAD      0 +: ThreadBits
`define T264_AC_THREAD_AT   0
`define T264_AC_THREAD_BITS ThreadBits
`define T264_AC_BLOCK       ThreadBits +: 4
`define T264_AC_BLOCK_AT    ThreadBits
`define T264_AC_BLOCK_BITS  4
`define T264_AC_CODED       ThreadBits + 4
`define T264_AC_CODED_AT    (ThreadBits + 4)
`define T264_AC_CODED_BITS  1
`define T264_AC_LEVELS      ThreadBits + 5 +: 180
`define T264_AC_LEVELS_AT   (ThreadBits + 5)
`define T264_AC_LEVELS_BITS 180
`define T264_AC_LEVELS_EACH 12
`define T264_AC_BITS        (ThreadBits + 185)

// MBToken
`define T264_MB_THREAD           0 +: ThreadBits
`define T264_MB_THREAD_AT        0
`define T264_MB_THREAD_BITS      ThreadBits
`define T264_MB_QP               ThreadBits +: 6
`define T264_MB_QP_AT            ThreadBits
`define T264_MB_QP_BITS          6
`define T264_MB_MODE             ThreadBits + 6 +: 2
`define T264_MB_MODE_AT          (ThreadBits + 6)
`define T264_MB_MODE_BITS        2
`define T264_MB_CBP              ThreadBits + 8
`define T264_MB_CBP_AT           (ThreadBits + 8)
`define T264_MB_CBP_BITS         1
`define T264_MB_QP_DELTA         ThreadBits + 9 +: 2
`define T264_MB_QP_DELTA_AT      (ThreadBits + 9)
`define T264_MB_QP_DELTA_BITS    2
`define T264_MB_CHANGED          ThreadBits + 11
`define T264_MB_CHANGED_AT       (ThreadBits + 11)
`define T264_MB_CHANGED_BITS     1
`define T264_MB_LEFT             ThreadBits + 12
`define T264_MB_LEFT_AT          (ThreadBits + 12)
`define T264_MB_LEFT_BITS        1
`define T264_MB_ABOVE            ThreadBits + 13
`define T264_MB_ABOVE_AT         (ThreadBits + 13)
`define T264_MB_ABOVE_BITS       1
`define T264_MB_LEFT_CODED       ThreadBits + 14 +: 5
`define T264_MB_LEFT_CODED_AT    (ThreadBits + 14)
`define T264_MB_LEFT_CODED_BITS  5
`define T264_MB_ABOVE_CODED      ThreadBits + 19 +: 5
`define T264_MB_ABOVE_CODED_AT   (ThreadBits + 19)
`define T264_MB_ABOVE_CODED_BITS 5
`define T264_MB_LAST             ThreadBits + 24
`define T264_MB_LAST_AT          (ThreadBits + 24)
`define T264_MB_LAST_BITS        1
`define T264_MB_DC               ThreadBits + 25 +: 224
`define T264_MB_DC_AT            (ThreadBits + 25)
`define T264_MB_DC_BITS          224
`define T264_MB_DC_EACH          14
`define T264_MB_BITS             (ThreadBits + 249)

// head
`define T264_HEAD_QP               0 +: 6
`define T264_HEAD_QP_AT            0
`define T264_HEAD_QP_BITS          6
`define T264_HEAD_MODE             6 +: 2
`define T264_HEAD_MODE_AT          6
`define T264_HEAD_MODE_BITS        2
`define T264_HEAD_QP_DELTA         8 +: 2
`define T264_HEAD_QP_DELTA_AT      8
`define T264_HEAD_QP_DELTA_BITS    2
`define T264_HEAD_CHANGED          10
`define T264_HEAD_CHANGED_AT       10
`define T264_HEAD_CHANGED_BITS     1
`define T264_HEAD_LEFT             11
`define T264_HEAD_LEFT_AT          11
`define T264_HEAD_LEFT_BITS        1
`define T264_HEAD_ABOVE            12
`define T264_HEAD_ABOVE_AT         12
`define T264_HEAD_ABOVE_BITS       1
`define T264_HEAD_LEFT_CODED       13 +: 5
`define T264_HEAD_LEFT_CODED_AT    13
`define T264_HEAD_LEFT_CODED_BITS  5
`define T264_HEAD_ABOVE_CODED      18 +: 5
`define T264_HEAD_ABOVE_CODED_AT   18
`define T264_HEAD_ABOVE_CODED_BITS 5
`define T264_HEAD_LAST             23
`define T264_HEAD_LAST_AT          23
`define T264_HEAD_LAST_BITS        1
`define T264_HEAD_CODED            24 +: 16
`define T264_HEAD_CODED_AT         24
`define T264_HEAD_CODED_BITS       16
`define T264_HEAD_BITS             40

// stored
`define T264_STORED_HEAD             0 +: 40
`define T264_STORED_HEAD_AT          0
`define T264_STORED_HEAD_BITS        40
`define T264_STORED_QP               0 +: 6
`define T264_STORED_QP_AT            0
`define T264_STORED_QP_BITS          6
`define T264_STORED_MODE             6 +: 2
`define T264_STORED_MODE_AT          6
`define T264_STORED_MODE_BITS        2
`define T264_STORED_QP_DELTA         8 +: 2
`define T264_STORED_QP_DELTA_AT      8
`define T264_STORED_QP_DELTA_BITS    2
`define T264_STORED_CHANGED          10
`define T264_STORED_CHANGED_AT       10
`define T264_STORED_CHANGED_BITS     1
`define T264_STORED_LEFT             11
`define T264_STORED_LEFT_AT          11
`define T264_STORED_LEFT_BITS        1
`define T264_STORED_ABOVE            12
`define T264_STORED_ABOVE_AT         12
`define T264_STORED_ABOVE_BITS       1
`define T264_STORED_LEFT_CODED       13 +: 5
`define T264_STORED_LEFT_CODED_AT    13
`define T264_STORED_LEFT_CODED_BITS  5
`define T264_STORED_ABOVE_CODED      18 +: 5
`define T264_STORED_ABOVE_CODED_AT   18
`define T264_STORED_ABOVE_CODED_BITS 5
`define T264_STORED_LAST             23
`define T264_STORED_LAST_AT          23
`define T264_STORED_LAST_BITS        1
`define T264_STORED_CODED            24 +: 16
`define T264_STORED_CODED_AT         24
`define T264_STORED_CODED_BITS       16
`define T264_STORED_DC               40 +: 224
`define T264_STORED_DC_AT            40
`define T264_STORED_DC_BITS          224
`define T264_STORED_DC_EACH          14
`define T264_STORED_BITS             264

// SliceWord
`define T264_SLICE_WORD        0 +: 69
`define T264_SLICE_WORD_AT     0
`define T264_SLICE_WORD_BITS   69
`define T264_SLICE_DATA        0 +: 64
`define T264_SLICE_DATA_AT     0
`define T264_SLICE_DATA_BITS   64
`define T264_SLICE_COUNT       64 +: 4
`define T264_SLICE_COUNT_AT    64
`define T264_SLICE_COUNT_BITS  4
`define T264_SLICE_LAST        68
`define T264_SLICE_LAST_AT     68
`define T264_SLICE_LAST_BITS   1
`define T264_SLICE_THREAD      69 +: ThreadBits
`define T264_SLICE_THREAD_AT   69
`define T264_SLICE_THREAD_BITS ThreadBits
`define T264_SLICE_BITS        (ThreadBits + 69)

`endif
