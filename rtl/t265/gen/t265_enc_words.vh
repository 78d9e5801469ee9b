// Words from the pixel path of the T.265 encoder to a lane: offset and width of each field.
//
// Generated from t265/hwenc/word.go
// by go generate. Do not edit.

`ifndef T265_ENC_WORDS_VH
`define T265_ENC_WORDS_VH

// BlockWord
`define T265_BLOCK_INIT           0
`define T265_BLOCK_INIT_AT        0
`define T265_BLOCK_INIT_BITS      1
`define T265_BLOCK_QP             1 +: 6
`define T265_BLOCK_QP_AT          1
`define T265_BLOCK_QP_BITS        6
`define T265_BLOCK_SPLITS         7 +: 2
`define T265_BLOCK_SPLITS_AT      7
`define T265_BLOCK_SPLITS_BITS    2
`define T265_BLOCK_SPLIT_END      9
`define T265_BLOCK_SPLIT_END_AT   9
`define T265_BLOCK_SPLIT_END_BITS 1
`define T265_BLOCK_SPLIT_INC      10 +: 6
`define T265_BLOCK_SPLIT_INC_AT   10
`define T265_BLOCK_SPLIT_INC_BITS 6
`define T265_BLOCK_SPLIT_INC_EACH 2
`define T265_BLOCK_UNIT           16
`define T265_BLOCK_UNIT_AT        16
`define T265_BLOCK_UNIT_BITS      1
`define T265_BLOCK_PART           17
`define T265_BLOCK_PART_AT        17
`define T265_BLOCK_PART_BITS      1
`define T265_BLOCK_PROBABLE       18
`define T265_BLOCK_PROBABLE_AT    18
`define T265_BLOCK_PROBABLE_BITS  1
`define T265_BLOCK_MODE           19 +: 5
`define T265_BLOCK_MODE_AT        19
`define T265_BLOCK_MODE_BITS      5
`define T265_BLOCK_TREES          24 +: 2
`define T265_BLOCK_TREES_AT       24
`define T265_BLOCK_TREES_BITS     2
`define T265_BLOCK_TREE_END       26
`define T265_BLOCK_TREE_END_AT    26
`define T265_BLOCK_TREE_END_BITS  1
`define T265_BLOCK_ROOT           27
`define T265_BLOCK_ROOT_AT        27
`define T265_BLOCK_ROOT_BITS      1
`define T265_BLOCK_CODED          28
`define T265_BLOCK_CODED_AT       28
`define T265_BLOCK_CODED_BITS     1
`define T265_BLOCK_DELTA          29 +: 2
`define T265_BLOCK_DELTA_AT       29
`define T265_BLOCK_DELTA_BITS     2
`define T265_BLOCK_SKIP_FLAG      31
`define T265_BLOCK_SKIP_FLAG_AT   31
`define T265_BLOCK_SKIP_FLAG_BITS 1
`define T265_BLOCK_SKIP           32
`define T265_BLOCK_SKIP_AT        32
`define T265_BLOCK_SKIP_BITS      1
`define T265_BLOCK_LOG2           33 +: 2
`define T265_BLOCK_LOG2_AT        33
`define T265_BLOCK_LOG2_BITS      2
`define T265_BLOCK_SCAN           35 +: 2
`define T265_BLOCK_SCAN_AT        35
`define T265_BLOCK_SCAN_BITS      2
`define T265_BLOCK_LAST_X         37 +: 5
`define T265_BLOCK_LAST_X_AT      37
`define T265_BLOCK_LAST_X_BITS    5
`define T265_BLOCK_LAST_Y         42 +: 5
`define T265_BLOCK_LAST_Y_AT      42
`define T265_BLOCK_LAST_Y_BITS    5
`define T265_BLOCK_HIDE           47
`define T265_BLOCK_HIDE_AT        47
`define T265_BLOCK_HIDE_BITS      1
`define T265_BLOCK_END_CTU        48
`define T265_BLOCK_END_CTU_AT     48
`define T265_BLOCK_END_CTU_BITS   1
`define T265_BLOCK_LAST           49
`define T265_BLOCK_LAST_AT        49
`define T265_BLOCK_LAST_BITS      1
`define T265_BLOCK_BITS           50

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

`endif
