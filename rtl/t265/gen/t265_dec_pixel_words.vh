// Words between the units of the T.265 decoder's pixel path: offset and width of each field.
//
// Generated from t265/hwdec/sched.go, windows.go and words_test.go
// by go generate. Do not edit.

`ifndef T265_DEC_PIXEL_WORDS_VH
`define T265_DEC_PIXEL_WORDS_VH

// keptHead
`define T265_DEC_KEPT_PLACE           0 +: 2 * PosBits + 17
`define T265_DEC_KEPT_PLACE_AT        0
`define T265_DEC_KEPT_PLACE_BITS      (2 * PosBits + 17)
`define T265_DEC_KEPT_LOG2            0 +: 2
`define T265_DEC_KEPT_LOG2_AT         0
`define T265_DEC_KEPT_LOG2_BITS       2
`define T265_DEC_KEPT_MODE            2 +: 6
`define T265_DEC_KEPT_MODE_AT         2
`define T265_DEC_KEPT_MODE_BITS       6
`define T265_DEC_KEPT_STRONG          8
`define T265_DEC_KEPT_STRONG_AT       8
`define T265_DEC_KEPT_STRONG_BITS     1
`define T265_DEC_KEPT_CODED           9
`define T265_DEC_KEPT_CODED_AT        9
`define T265_DEC_KEPT_CODED_BITS      1
`define T265_DEC_KEPT_HAS_LEFT        10
`define T265_DEC_KEPT_HAS_LEFT_AT     10
`define T265_DEC_KEPT_HAS_LEFT_BITS   1
`define T265_DEC_KEPT_HAS_ABOVE       11
`define T265_DEC_KEPT_HAS_ABOVE_AT    11
`define T265_DEC_KEPT_HAS_ABOVE_BITS  1
`define T265_DEC_KEPT_HAS_CORNER      12
`define T265_DEC_KEPT_HAS_CORNER_AT   12
`define T265_DEC_KEPT_HAS_CORNER_BITS 1
`define T265_DEC_KEPT_RIGHT           13 +: 2
`define T265_DEC_KEPT_RIGHT_AT        13
`define T265_DEC_KEPT_RIGHT_BITS      2
`define T265_DEC_KEPT_BELOW           15 +: 2
`define T265_DEC_KEPT_BELOW_AT        15
`define T265_DEC_KEPT_BELOW_BITS      2
`define T265_DEC_KEPT_X               17 +: PosBits
`define T265_DEC_KEPT_X_AT            17
`define T265_DEC_KEPT_X_BITS          PosBits
`define T265_DEC_KEPT_Y               PosBits + 17 +: PosBits
`define T265_DEC_KEPT_Y_AT            (PosBits + 17)
`define T265_DEC_KEPT_Y_BITS          PosBits
`define T265_DEC_KEPT_QP              2 * PosBits + 17 +: 6
`define T265_DEC_KEPT_QP_AT           (2 * PosBits + 17)
`define T265_DEC_KEPT_QP_BITS         6
`define T265_DEC_KEPT_SKIP            2 * PosBits + 23
`define T265_DEC_KEPT_SKIP_AT         (2 * PosBits + 23)
`define T265_DEC_KEPT_SKIP_BITS       1
`define T265_DEC_KEPT_BITS            (2 * PosBits + 24)

// keptLevels
`define T265_DEC_GROUP_LEVELS      0 +: 32
`define T265_DEC_GROUP_LEVELS_AT   0
`define T265_DEC_GROUP_LEVELS_BITS 32
`define T265_DEC_GROUP_LEVELS_EACH 8
`define T265_DEC_GROUP_GROUP       32 +: 2
`define T265_DEC_GROUP_GROUP_AT    32
`define T265_DEC_GROUP_GROUP_BITS  2
`define T265_DEC_GROUP_SUB_X       34 +: PlaceBits
`define T265_DEC_GROUP_SUB_X_AT    34
`define T265_DEC_GROUP_SUB_X_BITS  PlaceBits
`define T265_DEC_GROUP_SUB_Y       PlaceBits + 34 +: PlaceBits
`define T265_DEC_GROUP_SUB_Y_AT    (PlaceBits + 34)
`define T265_DEC_GROUP_SUB_Y_BITS  PlaceBits
`define T265_DEC_GROUP_HIGH        2 * PlaceBits + 34
`define T265_DEC_GROUP_HIGH_AT     (2 * PlaceBits + 34)
`define T265_DEC_GROUP_HIGH_BITS   1
`define T265_DEC_GROUP_BITS        (2 * PlaceBits + 35)

// BlockJob
`define T265_DEC_JOB_THREAD          0 +: ThreadBits
`define T265_DEC_JOB_THREAD_AT       0
`define T265_DEC_JOB_THREAD_BITS     ThreadBits
`define T265_DEC_JOB_PLACE           ThreadBits +: 2 * PosBits + 17
`define T265_DEC_JOB_PLACE_AT        ThreadBits
`define T265_DEC_JOB_PLACE_BITS      (2 * PosBits + 17)
`define T265_DEC_JOB_LOG2            ThreadBits +: 2
`define T265_DEC_JOB_LOG2_AT         ThreadBits
`define T265_DEC_JOB_LOG2_BITS       2
`define T265_DEC_JOB_MODE            ThreadBits + 2 +: 6
`define T265_DEC_JOB_MODE_AT         (ThreadBits + 2)
`define T265_DEC_JOB_MODE_BITS       6
`define T265_DEC_JOB_STRONG          ThreadBits + 8
`define T265_DEC_JOB_STRONG_AT       (ThreadBits + 8)
`define T265_DEC_JOB_STRONG_BITS     1
`define T265_DEC_JOB_CODED           ThreadBits + 9
`define T265_DEC_JOB_CODED_AT        (ThreadBits + 9)
`define T265_DEC_JOB_CODED_BITS      1
`define T265_DEC_JOB_HAS_LEFT        ThreadBits + 10
`define T265_DEC_JOB_HAS_LEFT_AT     (ThreadBits + 10)
`define T265_DEC_JOB_HAS_LEFT_BITS   1
`define T265_DEC_JOB_HAS_ABOVE       ThreadBits + 11
`define T265_DEC_JOB_HAS_ABOVE_AT    (ThreadBits + 11)
`define T265_DEC_JOB_HAS_ABOVE_BITS  1
`define T265_DEC_JOB_HAS_CORNER      ThreadBits + 12
`define T265_DEC_JOB_HAS_CORNER_AT   (ThreadBits + 12)
`define T265_DEC_JOB_HAS_CORNER_BITS 1
`define T265_DEC_JOB_RIGHT           ThreadBits + 13 +: 2
`define T265_DEC_JOB_RIGHT_AT        (ThreadBits + 13)
`define T265_DEC_JOB_RIGHT_BITS      2
`define T265_DEC_JOB_BELOW           ThreadBits + 15 +: 2
`define T265_DEC_JOB_BELOW_AT        (ThreadBits + 15)
`define T265_DEC_JOB_BELOW_BITS      2
`define T265_DEC_JOB_X               ThreadBits + 17 +: PosBits
`define T265_DEC_JOB_X_AT            (ThreadBits + 17)
`define T265_DEC_JOB_X_BITS          PosBits
`define T265_DEC_JOB_Y               ThreadBits + PosBits + 17 +: PosBits
`define T265_DEC_JOB_Y_AT            (ThreadBits + PosBits + 17)
`define T265_DEC_JOB_Y_BITS          PosBits
`define T265_DEC_JOB_BITS            (ThreadBits + 2 * PosBits + 17)

// SumJob
`define T265_DEC_SUM_THREAD          0 +: ThreadBits
`define T265_DEC_SUM_THREAD_AT       0
`define T265_DEC_SUM_THREAD_BITS     ThreadBits
`define T265_DEC_SUM_LOG2            ThreadBits +: 2
`define T265_DEC_SUM_LOG2_AT         ThreadBits
`define T265_DEC_SUM_LOG2_BITS       2
`define T265_DEC_SUM_BY_COLUMNS      ThreadBits + 2
`define T265_DEC_SUM_BY_COLUMNS_AT   (ThreadBits + 2)
`define T265_DEC_SUM_BY_COLUMNS_BITS 1
`define T265_DEC_SUM_CODED           ThreadBits + 3
`define T265_DEC_SUM_CODED_AT        (ThreadBits + 3)
`define T265_DEC_SUM_CODED_BITS      1
`define T265_DEC_SUM_CORNER          ThreadBits + 4 +: 8
`define T265_DEC_SUM_CORNER_AT       (ThreadBits + 4)
`define T265_DEC_SUM_CORNER_BITS     8
`define T265_DEC_SUM_X               ThreadBits + 12 +: PosBits
`define T265_DEC_SUM_X_AT            (ThreadBits + 12)
`define T265_DEC_SUM_X_BITS          PosBits
`define T265_DEC_SUM_Y               ThreadBits + PosBits + 12 +: PosBits
`define T265_DEC_SUM_Y_AT            (ThreadBits + PosBits + 12)
`define T265_DEC_SUM_Y_BITS          PosBits
`define T265_DEC_SUM_BITS            (ThreadBits + 2 * PosBits + 12)

// LeftWord
`define T265_DEC_LEFT_SAMPLES      0 +: 32
`define T265_DEC_LEFT_SAMPLES_AT   0
`define T265_DEC_LEFT_SAMPLES_BITS 32
`define T265_DEC_LEFT_SAMPLES_EACH 8
`define T265_DEC_LEFT_CORNER       32 +: 8
`define T265_DEC_LEFT_CORNER_AT    32
`define T265_DEC_LEFT_CORNER_BITS  8
`define T265_DEC_LEFT_BITS         40

`endif
