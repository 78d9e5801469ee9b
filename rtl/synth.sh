#!/usr/bin/env bash
# Synthesises units with yosys and the ASAP7 cells (RVT, TT, 0.70 V, no *xp5*), and finds the longest path with OpenSTA.
# Cell area before layout, no wires. One line a unit: area in um2, flip-flops, bits of SRAM
# with one port and with two over all instances, GHz. A lane in a codec is mapped once, for all instances.
# Arguments are the units; without any, all of them.
# The liberty is ASAP7_LIB, or ../shared/asap7/asap7_synth.lib.gz beside the checkout.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
lib=${ASAP7_LIB:-../shared/asap7/asap7_synth.lib.gz}
if [ ! -r "$lib" ]; then
  echo "synth: skipped, no liberty at $lib; set ASAP7_LIB" >&2
  exit 0
fi
for tool in yosys sta; do
  command -v $tool >/dev/null || { echo "synth: $tool is missing; run .ci/setup" >&2; exit 3; }
done
dir=out/synth
mkdir -p $dir
case $lib in
  *.gz) gzip -dc "$lib" >$dir/cells.lib ;;
  *) cp "$lib" $dir/cells.lib ;;
esac
printf 'set_driving_cell BUFx2_ASAP7_75t_R\nset_load 3.898\n' >$dir/constr.txt

# module, target delay in ps, parameters
units=(
  "vc_pipe      400 Width=8"
  "vc_skid      400 Width=8"
  "vc_fifo      400 Width=8 Depth=16"
  "vc_fifo_ram  400 Width=64 Depth=40"
  "vc_arbiter   400 Width=8 Inputs=4"
  "vc_cabac_pack 450 RunBits=16"
  "vc_cabac_ctx 450 Contexts=100"
  "vc_cabac_enc 450 Contexts=97 Bypass=4 RunBits=16"
  "vc_nal_pack  450 Bytes=8"
  "t264_enc_sched 450 Threads=30 FrameMBs=64"
  "t264_enc_ref 450 Threads=30 FrameMBs=64"
  "t264_mode    450 Threads=30 Values=8 FrameMBs=64"
  "t264_dct     450 Threads=30 Values=8 FrameMBs=64"
  "t264_quant   450 Threads=30 Values=8"
  "t264_enc_dc  450 Threads=30 FrameMBs=64"
  "t264_border  450 Threads=30 FrameMBs=64"
  "t264_enc_pixels 450 Threads=30 Values=8 FrameMBs=64"
  "t264_residual 450 Bypass=4 Late=12"
  "t264_context 450 Lanes=24"
  "t264_context 450 Lanes=16 Decoder=1"
  "t264_enc_lane 450 Bypass=4"
  "t264_enc_store 450 Threads=24 Lanes=24 Words=20"
  "t264_enc     450 Threads=24 Lanes=24 Values=8 Bypass=4 FrameMBs=16"
  "t264_enc     450 Threads=24 Lanes=24 Values=8 Bypass=4 FrameMBs=64"
  "vc_cabac_dec 400 Contexts=100 Bypass=2"
  "vc_cabac_dec_core 400 Contexts=256 Bypass=1"
  "vc_cabac_dec_core 400 Contexts=256 Bypass=2"
  "vc_cabac_dec_core 400 Contexts=256 Bypass=4"
  "vc_nal_unpack 450"
  "t264_dec_banks 400"
  "t264_dequant 450"
  "t264_idct4   450"
  "t264_idct8   450"
  "t264_intra   450"
  "t264_plane   450"
  "t264_dec_out 450 Width=54 Slots=16"
  "t264_dec_thread 450"
  "t264_dec_sched 450 Threads=16 FrameMBs=64 Slots=16"
  "t264_dec_ref 450 Threads=16 FrameMBs=64"
  "t264_dec_predict 450 Threads=16"
  "t264_dec_residual 450 Threads=16 Transform8=1"
  "t264_dec_pixels 450 Threads=16 FrameMBs=64 Slots=16 Transform8=1"
  "t264_dec_above 450 Lanes=16 FrameMBs=64"
  "t264_parse   400 FrameMBs=64 Bypass=1"
  "t264_dec_lane 400 FrameMBs=64 Bypass=1"
  "t264_dec_lane 400 FrameMBs=64 Bypass=2"
  "t264_dec_lane 400 FrameMBs=64 Bypass=4"
  "t264_dec     450 Lanes=16 FrameMBs=16 Slots=16 Bypass=1 Transform8=1"
  "t264_dec     450 Lanes=16 FrameMBs=64 Slots=16 Bypass=1 Transform8=1"
)
printf '%-17s %9s %6s %7s %7s %6s  %s\n' unit um2 flops sram1 sram2 GHz parameters
for row in "${units[@]}"; do
  read -r top delay params <<<"$row"
  [ $# = 0 ] || [[ " $* " = *" $top "* ]] || continue
  fsm="fsm; opt -nodffe -nosdff;"
  [ $top != t264_enc ] || fsm=  # its search for state machines does not end there
  set=
  for p in $params; do set+="chparam -set ${p%=*} ${p#*=} $top; "; done
  cat >$dir/$top.ys <<YS
read_verilog -I rtl/t264/gen rtl/*/*.v rtl/*/gen/*.v
${set}hierarchy -check -top $top
setattr -mod -set keep_hierarchy 1 *vc_ram_1r* *t264_enc_lane *t264_dec_lane
proc; flatten
tee -q -o $dir/$top.rams stat
cd $top; expose -evert t:*vc_ram_1r*; cd; delete *vc_ram_1r*; opt -nodffe -nosdff; $fsm wreduce; alumacc
memory -nomap; memory_map; opt -nodffe -nosdff; techmap; dfflegalize -cell \$_DFF_P_ 01
dfflibmap -liberty $dir/cells.lib; opt
abc -liberty $dir/cells.lib -constr $dir/constr.txt -script +strash;ifraig;dc2;map,-B,0.9,-D,$delay;topo;buffer,-c;upsize,-D,$delay;dnsize,-D,$delay;stime,-p
hilomap -singleton -hicell TIEHIx1_ASAP7_75t_R H -locell TIELOx1_ASAP7_75t_R L; clean -purge
tee -q -o $dir/$top.stat stat -top $top -liberty $dir/cells.lib
splitnets; clean -purge
write_verilog -noattr -noexpr -simple-lhs $dir/$top.gates.v
YS
  yosys -q $dir/$top.ys >$dir/$top.log 2>&1 || { tail -20 $dir/$top.log >&2; exit 1; }
  cat >$dir/$top.tcl <<TCL
read_liberty $dir/cells.lib
read_verilog $dir/$top.gates.v
link_design $top
create_clock -name clk -period 10000 [get_ports clk_i]
report_checks -path_delay max -digits 2
exit
TCL
  sta -exit $dir/$top.tcl >$dir/$top.timing 2>&1
  area=$(awk '/Chip area/ {area = $NF} END {print area}' $dir/$top.stat)
  read -r one two <<<"$(awk -v top=$top '
    /^=== / {module = $2}
    /memory bits/ {bits[module] = $NF}
    module == top && NF == 2 && $1 ~ /vc_ram_1r/ {cells[$1] = $2}
    END {for (m in cells) if (m ~ /1r1w/) two += cells[m] * bits[m]; else one += cells[m] * bits[m]; print one + 0, two + 0}' $dir/$top.rams)"
  flops=$(awk '/^=== / {n = 0} $1 ~ /^DFF/ {n += $2} END {print n + 0}' $dir/$top.stat)
  slack=$(awk '/slack/ {print $1; exit}' $dir/$top.timing)
  [ -n "$slack" ] || { tail -20 $dir/$top.timing >&2; exit 1; }
  awk -v top=$top -v a="$area" -v f="$flops" -v r="$one" -v w="$two" -v s="$slack" -v p="$params" \
    'BEGIN {printf "%-17s %9.1f %6d %7d %7d %6.2f  %s\n", top, a, f, r, w, 1000 / (10000 - s), p}'
done
