// Words between the units of the T.265 decoder: offset and width of each field.
//
// Generated from t265/hw/dec_item.go and dec_ref.go, t265/hwdec/parse.go and words_test.go
// by go generate. Do not edit.

`ifndef T265_DEC_WORDS_VH
`define T265_DEC_WORDS_VH

// Item
`define T265_DEC_ITEM_KIND       0 +: 2
`define T265_DEC_ITEM_KIND_AT    0
`define T265_DEC_ITEM_KIND_BITS  2
`define T265_DEC_ITEM_SUB_X      2 +: 3
`define T265_DEC_ITEM_SUB_X_AT   2
`define T265_DEC_ITEM_SUB_X_BITS 3
`define T265_DEC_ITEM_SUB_Y      5 +: 3
`define T265_DEC_ITEM_SUB_Y_AT   5
`define T265_DEC_ITEM_SUB_Y_BITS 3
`define T265_DEC_ITEM_GROUP      8 +: 2
`define T265_DEC_ITEM_GROUP_AT   8
`define T265_DEC_ITEM_GROUP_BITS 2
`define T265_DEC_ITEM_DATA       10 +: 64
`define T265_DEC_ITEM_DATA_AT    10
`define T265_DEC_ITEM_DATA_BITS  64
`define T265_DEC_ITEM_BITS       74

// Head
`define T265_DEC_HEAD_X                0 +: 4
`define T265_DEC_HEAD_X_AT             0
`define T265_DEC_HEAD_X_BITS           4
`define T265_DEC_HEAD_Y                4 +: 4
`define T265_DEC_HEAD_Y_AT             4
`define T265_DEC_HEAD_Y_BITS           4
`define T265_DEC_HEAD_LOG2             8 +: 2
`define T265_DEC_HEAD_LOG2_AT          8
`define T265_DEC_HEAD_LOG2_BITS        2
`define T265_DEC_HEAD_MODE             10 +: 6
`define T265_DEC_HEAD_MODE_AT          10
`define T265_DEC_HEAD_MODE_BITS        6
`define T265_DEC_HEAD_SCAN             16 +: 2
`define T265_DEC_HEAD_SCAN_AT          16
`define T265_DEC_HEAD_SCAN_BITS        2
`define T265_DEC_HEAD_QP               18 +: 6
`define T265_DEC_HEAD_QP_AT            18
`define T265_DEC_HEAD_QP_BITS          6
`define T265_DEC_HEAD_CODED            24
`define T265_DEC_HEAD_CODED_AT         24
`define T265_DEC_HEAD_CODED_BITS       1
`define T265_DEC_HEAD_SKIP             25
`define T265_DEC_HEAD_SKIP_AT          25
`define T265_DEC_HEAD_SKIP_BITS        1
`define T265_DEC_HEAD_CTUX             26 +: 10
`define T265_DEC_HEAD_CTUX_AT          26
`define T265_DEC_HEAD_CTUX_BITS        10
`define T265_DEC_HEAD_CTUY             36 +: 10
`define T265_DEC_HEAD_CTUY_AT          36
`define T265_DEC_HEAD_CTUY_BITS        10
`define T265_DEC_HEAD_LOG2_CTB         46 +: 2
`define T265_DEC_HEAD_LOG2_CTB_AT      46
`define T265_DEC_HEAD_LOG2_CTB_BITS    2
`define T265_DEC_HEAD_LEFT             48
`define T265_DEC_HEAD_LEFT_AT          48
`define T265_DEC_HEAD_LEFT_BITS        1
`define T265_DEC_HEAD_ABOVE            49
`define T265_DEC_HEAD_ABOVE_AT         49
`define T265_DEC_HEAD_ABOVE_BITS       1
`define T265_DEC_HEAD_ABOVE_LEFT       50
`define T265_DEC_HEAD_ABOVE_LEFT_AT    50
`define T265_DEC_HEAD_ABOVE_LEFT_BITS  1
`define T265_DEC_HEAD_ABOVE_RIGHT      51
`define T265_DEC_HEAD_ABOVE_RIGHT_AT   51
`define T265_DEC_HEAD_ABOVE_RIGHT_BITS 1
`define T265_DEC_HEAD_RIGHT            52 +: 4
`define T265_DEC_HEAD_RIGHT_AT         52
`define T265_DEC_HEAD_RIGHT_BITS       4
`define T265_DEC_HEAD_BOTTOM           56 +: 4
`define T265_DEC_HEAD_BOTTOM_AT        56
`define T265_DEC_HEAD_BOTTOM_BITS      4
`define T265_DEC_HEAD_FINAL            60
`define T265_DEC_HEAD_FINAL_AT         60
`define T265_DEC_HEAD_FINAL_BITS       1
`define T265_DEC_HEAD_STRONG           61
`define T265_DEC_HEAD_STRONG_AT        61
`define T265_DEC_HEAD_STRONG_BITS      1
`define T265_DEC_HEAD_BITS             62

// endItem
`define T265_DEC_END_CODE      0 +: 3
`define T265_DEC_END_CODE_AT   0
`define T265_DEC_END_CODE_BITS 3
`define T265_DEC_END_BITS      3

// RefBeat
`define T265_DEC_REF_ABOVE           0 +: 32
`define T265_DEC_REF_ABOVE_AT        0
`define T265_DEC_REF_ABOVE_BITS      32
`define T265_DEC_REF_ABOVE_EACH      8
`define T265_DEC_REF_LEFT            32 +: 32
`define T265_DEC_REF_LEFT_AT         32
`define T265_DEC_REF_LEFT_BITS       32
`define T265_DEC_REF_LEFT_EACH       8
`define T265_DEC_REF_HAS_ABOVE       64
`define T265_DEC_REF_HAS_ABOVE_AT    64
`define T265_DEC_REF_HAS_ABOVE_BITS  1
`define T265_DEC_REF_HAS_LEFT        65
`define T265_DEC_REF_HAS_LEFT_AT     65
`define T265_DEC_REF_HAS_LEFT_BITS   1
`define T265_DEC_REF_CORNER          66 +: 8
`define T265_DEC_REF_CORNER_AT       66
`define T265_DEC_REF_CORNER_BITS     8
`define T265_DEC_REF_HAS_CORNER      74
`define T265_DEC_REF_HAS_CORNER_AT   74
`define T265_DEC_REF_HAS_CORNER_BITS 1
`define T265_DEC_REF_LOG2            75 +: 2
`define T265_DEC_REF_LOG2_AT         75
`define T265_DEC_REF_LOG2_BITS       2
`define T265_DEC_REF_MODE            77 +: 6
`define T265_DEC_REF_MODE_AT         77
`define T265_DEC_REF_MODE_BITS       6
`define T265_DEC_REF_STRONG          83
`define T265_DEC_REF_STRONG_AT       83
`define T265_DEC_REF_STRONG_BITS     1
`define T265_DEC_REF_BITS            84

// Tools
`define T265_TOOLS_LOG2_CTB             0 +: 2
`define T265_TOOLS_LOG2_CTB_AT          0
`define T265_TOOLS_LOG2_CTB_BITS        2
`define T265_TOOLS_LOG2_MIN_CB          2 +: 2
`define T265_TOOLS_LOG2_MIN_CB_AT       2
`define T265_TOOLS_LOG2_MIN_CB_BITS     2
`define T265_TOOLS_LOG2_MIN_TB          4 +: 2
`define T265_TOOLS_LOG2_MIN_TB_AT       4
`define T265_TOOLS_LOG2_MIN_TB_BITS     2
`define T265_TOOLS_LOG2_MAX_TB          6 +: 2
`define T265_TOOLS_LOG2_MAX_TB_AT       6
`define T265_TOOLS_LOG2_MAX_TB_BITS     2
`define T265_TOOLS_DEPTH                8 +: 3
`define T265_TOOLS_DEPTH_AT             8
`define T265_TOOLS_DEPTH_BITS           3
`define T265_TOOLS_QP_DEPTH             11 +: 2
`define T265_TOOLS_QP_DEPTH_AT          11
`define T265_TOOLS_QP_DEPTH_BITS        2
`define T265_TOOLS_LOG2_MIN_PCM         13 +: 2
`define T265_TOOLS_LOG2_MIN_PCM_AT      13
`define T265_TOOLS_LOG2_MIN_PCM_BITS    2
`define T265_TOOLS_LOG2_MAX_PCM         15 +: 2
`define T265_TOOLS_LOG2_MAX_PCM_AT      15
`define T265_TOOLS_LOG2_MAX_PCM_BITS    2
`define T265_TOOLS_QP_DELTA             17
`define T265_TOOLS_QP_DELTA_AT          17
`define T265_TOOLS_QP_DELTA_BITS        1
`define T265_TOOLS_SKIP                 18
`define T265_TOOLS_SKIP_AT              18
`define T265_TOOLS_SKIP_BITS            1
`define T265_TOOLS_TRANSQUANT_FLAG      19
`define T265_TOOLS_TRANSQUANT_FLAG_AT   19
`define T265_TOOLS_TRANSQUANT_FLAG_BITS 1
`define T265_TOOLS_PCM                  20
`define T265_TOOLS_PCM_AT               20
`define T265_TOOLS_PCM_BITS             1
`define T265_TOOLS_HIDE                 21
`define T265_TOOLS_HIDE_AT              21
`define T265_TOOLS_HIDE_BITS            1
`define T265_TOOLS_STRONG               22
`define T265_TOOLS_STRONG_AT            22
`define T265_TOOLS_STRONG_BITS          1
`define T265_TOOLS_BITS                 23

`endif
