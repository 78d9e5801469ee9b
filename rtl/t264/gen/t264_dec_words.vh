// Words between the units of the T.264 decoder: offset and width of each field. ThreadBits and
// MBBits are parameters of the module that names them.
//
// Generated from t264/hw/item.go, t264/hwdec/pixels.go, around.go, parse.go and words_test.go
// by go generate. Do not edit.

`ifndef T264_DEC_WORDS_VH
`define T264_DEC_WORDS_VH

// pathItem
`define T264_ITEM_KIND       0 +: 3
`define T264_ITEM_KIND_AT    0
`define T264_ITEM_KIND_BITS  3
`define T264_ITEM_GROUP      3 +: 4
`define T264_ITEM_GROUP_AT   3
`define T264_ITEM_GROUP_BITS 4
`define T264_ITEM_LAST       7
`define T264_ITEM_LAST_AT    7
`define T264_ITEM_LAST_BITS  1
`define T264_ITEM_DATA       8 +: 64
`define T264_ITEM_DATA_AT    8
`define T264_ITEM_DATA_BITS  64
`define T264_ITEM_BITS       72

// MBItem
`define T264_MB_ITEM_KIND             0 +: 2
`define T264_MB_ITEM_KIND_AT          0
`define T264_MB_ITEM_KIND_BITS        2
`define T264_MB_ITEM_MODE             2 +: 2
`define T264_MB_ITEM_MODE_AT          2
`define T264_MB_ITEM_MODE_BITS        2
`define T264_MB_ITEM_CBP              4 +: 4
`define T264_MB_ITEM_CBP_AT           4
`define T264_MB_ITEM_CBP_BITS         4
`define T264_MB_ITEM_QP               8 +: 6
`define T264_MB_ITEM_QP_AT            8
`define T264_MB_ITEM_QP_BITS          6
`define T264_MB_ITEM_LEFT             14
`define T264_MB_ITEM_LEFT_AT          14
`define T264_MB_ITEM_LEFT_BITS        1
`define T264_MB_ITEM_ABOVE            15
`define T264_MB_ITEM_ABOVE_AT         15
`define T264_MB_ITEM_ABOVE_BITS       1
`define T264_MB_ITEM_ABOVE_LEFT       16
`define T264_MB_ITEM_ABOVE_LEFT_AT    16
`define T264_MB_ITEM_ABOVE_LEFT_BITS  1
`define T264_MB_ITEM_ABOVE_RIGHT      17
`define T264_MB_ITEM_ABOVE_RIGHT_AT   17
`define T264_MB_ITEM_ABOVE_RIGHT_BITS 1
`define T264_MB_ITEM_FINAL            18
`define T264_MB_ITEM_FINAL_AT         18
`define T264_MB_ITEM_FINAL_BITS       1
`define T264_MB_ITEM_X                19 +: 10
`define T264_MB_ITEM_X_AT             19
`define T264_MB_ITEM_X_BITS           10
`define T264_MB_ITEM_Y                29 +: 10
`define T264_MB_ITEM_Y_AT             29
`define T264_MB_ITEM_Y_BITS           10
`define T264_MB_ITEM_BITS             39

// endItem
`define T264_END_ITEM_CODE      0 +: 4
`define T264_END_ITEM_CODE_AT   0
`define T264_END_ITEM_CODE_BITS 4
`define T264_END_ITEM_BITS      4

// kept
`define T264_KEPT_KIND             0 +: 2
`define T264_KEPT_KIND_AT          0
`define T264_KEPT_KIND_BITS        2
`define T264_KEPT_MODE             2 +: 2
`define T264_KEPT_MODE_AT          2
`define T264_KEPT_MODE_BITS        2
`define T264_KEPT_CBP              4 +: 4
`define T264_KEPT_CBP_AT           4
`define T264_KEPT_CBP_BITS         4
`define T264_KEPT_QP               8 +: 6
`define T264_KEPT_QP_AT            8
`define T264_KEPT_QP_BITS          6
`define T264_KEPT_NEAR             14 +: 4
`define T264_KEPT_NEAR_AT          14
`define T264_KEPT_NEAR_BITS        4
`define T264_KEPT_LEFT             14
`define T264_KEPT_LEFT_AT          14
`define T264_KEPT_LEFT_BITS        1
`define T264_KEPT_ABOVE            15
`define T264_KEPT_ABOVE_AT         15
`define T264_KEPT_ABOVE_BITS       1
`define T264_KEPT_ABOVE_LEFT       16
`define T264_KEPT_ABOVE_LEFT_AT    16
`define T264_KEPT_ABOVE_LEFT_BITS  1
`define T264_KEPT_ABOVE_RIGHT      17
`define T264_KEPT_ABOVE_RIGHT_AT   17
`define T264_KEPT_ABOVE_RIGHT_BITS 1
`define T264_KEPT_X                18 +: MBBits
`define T264_KEPT_X_AT             18
`define T264_KEPT_X_BITS           MBBits
`define T264_KEPT_Y                MBBits + 18 +: MBBits
`define T264_KEPT_Y_AT             (MBBits + 18)
`define T264_KEPT_Y_BITS           MBBits
`define T264_KEPT_BITS             (2 * MBBits + 18)

// step
`define T264_STEP_THREAD           0 +: ThreadBits
`define T264_STEP_THREAD_AT        0
`define T264_STEP_THREAD_BITS      ThreadBits
`define T264_STEP_KIND             ThreadBits +: 2
`define T264_STEP_KIND_AT          ThreadBits
`define T264_STEP_KIND_BITS        2
`define T264_STEP_BLOCK            ThreadBits + 2 +: 4
`define T264_STEP_BLOCK_AT         (ThreadBits + 2)
`define T264_STEP_BLOCK_BITS       4
`define T264_STEP_MODE             ThreadBits + 6 +: 4
`define T264_STEP_MODE_AT          (ThreadBits + 6)
`define T264_STEP_MODE_BITS        4
`define T264_STEP_NEAR             ThreadBits + 10 +: 4
`define T264_STEP_NEAR_AT          (ThreadBits + 10)
`define T264_STEP_NEAR_BITS        4
`define T264_STEP_LEFT             ThreadBits + 10
`define T264_STEP_LEFT_AT          (ThreadBits + 10)
`define T264_STEP_LEFT_BITS        1
`define T264_STEP_ABOVE            ThreadBits + 11
`define T264_STEP_ABOVE_AT         (ThreadBits + 11)
`define T264_STEP_ABOVE_BITS       1
`define T264_STEP_ABOVE_LEFT       ThreadBits + 12
`define T264_STEP_ABOVE_LEFT_AT    (ThreadBits + 12)
`define T264_STEP_ABOVE_LEFT_BITS  1
`define T264_STEP_ABOVE_RIGHT      ThreadBits + 13
`define T264_STEP_ABOVE_RIGHT_AT   (ThreadBits + 13)
`define T264_STEP_ABOVE_RIGHT_BITS 1
`define T264_STEP_X                ThreadBits + 14 +: MBBits
`define T264_STEP_X_AT             (ThreadBits + 14)
`define T264_STEP_X_BITS           MBBits
`define T264_STEP_Y                ThreadBits + MBBits + 14 +: MBBits
`define T264_STEP_Y_AT             (ThreadBits + MBBits + 14)
`define T264_STEP_Y_BITS           MBBits
`define T264_STEP_WORD             ThreadBits + 2 * MBBits + 14 +: 2
`define T264_STEP_WORD_AT          (ThreadBits + 2 * MBBits + 14)
`define T264_STEP_WORD_BITS        2
`define T264_STEP_BITS             (ThreadBits + 2 * MBBits + 16)

// PixelWord
`define T264_PIXEL_THREAD      0 +: ThreadBits
`define T264_PIXEL_THREAD_AT   0
`define T264_PIXEL_THREAD_BITS ThreadBits
`define T264_PIXEL_MBX         ThreadBits +: MBBits
`define T264_PIXEL_MBX_AT      ThreadBits
`define T264_PIXEL_MBX_BITS    MBBits
`define T264_PIXEL_MBY         ThreadBits + MBBits +: MBBits
`define T264_PIXEL_MBY_AT      (ThreadBits + MBBits)
`define T264_PIXEL_MBY_BITS    MBBits
`define T264_PIXEL_X           ThreadBits + 2 * MBBits +: 4
`define T264_PIXEL_X_AT        (ThreadBits + 2 * MBBits)
`define T264_PIXEL_X_BITS      4
`define T264_PIXEL_Y           ThreadBits + 2 * MBBits + 4 +: 2
`define T264_PIXEL_Y_AT        (ThreadBits + 2 * MBBits + 4)
`define T264_PIXEL_Y_BITS      2
`define T264_PIXEL_DATA        ThreadBits + 2 * MBBits + 6 +: 32
`define T264_PIXEL_DATA_AT     (ThreadBits + 2 * MBBits + 6)
`define T264_PIXEL_DATA_BITS   32
`define T264_PIXEL_BITS        (ThreadBits + 2 * MBBits + 38)

// plane
`define T264_PLANE_FIRST      0 +: 16
`define T264_PLANE_FIRST_AT   0
`define T264_PLANE_FIRST_BITS 16
`define T264_PLANE_RIGHT      16 +: 11
`define T264_PLANE_RIGHT_AT   16
`define T264_PLANE_RIGHT_BITS 11
`define T264_PLANE_DOWN       27 +: 11
`define T264_PLANE_DOWN_AT    27
`define T264_PLANE_DOWN_BITS  11
`define T264_PLANE_BITS       38

// aboveWord
`define T264_AROUND_KIND       0 +: 2
`define T264_AROUND_KIND_AT    0
`define T264_AROUND_KIND_BITS  2
`define T264_AROUND_DC         2
`define T264_AROUND_DC_AT      2
`define T264_AROUND_DC_BITS    1
`define T264_AROUND_CBP        3 +: 2
`define T264_AROUND_CBP_AT     3
`define T264_AROUND_CBP_BITS   2
`define T264_AROUND_CODED      5 +: 4
`define T264_AROUND_CODED_AT   5
`define T264_AROUND_CODED_BITS 4
`define T264_AROUND_MODE       9 +: 16
`define T264_AROUND_MODE_AT    9
`define T264_AROUND_MODE_BITS  16
`define T264_AROUND_MODE_EACH  4
`define T264_AROUND_BITS       25

// AboveRequest
`define T264_ASK_WRITE      0
`define T264_ASK_WRITE_AT   0
`define T264_ASK_WRITE_BITS 1
`define T264_ASK_X          1 +: MBBits
`define T264_ASK_X_AT       1
`define T264_ASK_X_BITS     MBBits
`define T264_ASK_READ       MBBits + 1 +: MBBits
`define T264_ASK_READ_AT    (MBBits + 1)
`define T264_ASK_READ_BITS  MBBits
`define T264_ASK_WORD       2 * MBBits + 1 +: 25
`define T264_ASK_WORD_AT    (2 * MBBits + 1)
`define T264_ASK_WORD_BITS  25
`define T264_ASK_BITS       (2 * MBBits + 26)

`endif
