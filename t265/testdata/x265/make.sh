#!/bin/sh
# make.sh PLANES: rewrites the streams of this directory with x265 and the
# digests of their pictures, as ffmpeg decodes them, in vectors.txt.
set -eu
planes=$1
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
: >"$here/vectors.txt"
one() { # name plane width height x265-options...
  name=$1 plane=$2 w=$3 h=$4; shift 4
  python3 - "$planes/$plane.pgm" "$w" "$h" "$tmp/in.yuv" <<'PY'
import sys
b = open(sys.argv[1], 'rb').read().split(b'\n', 3)
W = int(b[1].split()[0]); w, h = int(sys.argv[2]), int(sys.argv[3])
open(sys.argv[4], 'wb').write(b''.join(b[3][y*W:y*W+w] for y in range(h)))
PY
  timeout 60 x265 --input "$tmp/in.yuv" --input-res "${w}x$h" --input-csp i400 --fps 1 --keyint 1 --tune psnr --ipratio 1 \
    --aq-mode 0 --no-deblock --no-sao --no-info --pools 1 -F 1 -o "$here/$name.265" "$@" 2>/dev/null
  ffmpeg -loglevel error -y -threads 1 -f hevc -i "$here/$name.265" -f rawvideo "$tmp/out"
  echo "$name.265 $w $h $(($(stat -c %s "$tmp/out") / w / h)) $(sha256sum "$tmp/out" | cut -d' ' -f1)" >>"$here/vectors.txt"
}
one ultrafast-q12 k0 128 72 --preset ultrafast --qp 12 --no-wpp
one medium-wpp-q24 k0 200 104 --preset medium --qp 24 --wpp --ctu 32
one placebo-q30 act_b2 136 72 --preset placebo --qp 30 --no-wpp
one ctu16-wpp-q20 adam_v1 120 66 --preset medium --qp 20 --wpp --ctu 16 --max-tu-size 16
one tskip-q8 g_k1 72 66 --preset slow --qp 8 --tskip --no-wpp --ctu 32
one lossless w_k1 72 64 --preset medium --lossless --no-wpp
one culossless-q40 k3 128 64 --preset medium --cu-lossless --qp 40 --no-wpp
one aq-slices k3 128 256 --preset fast --crf 30 --aq-mode 2 --qg-size 8 --wpp
one nosignhide-q51 v3 128 136 --preset medium --qp 51 --no-signhide --no-strong-intra-smoothing --no-wpp
one smooth-q37 adam_v1 192 128 --preset placebo --qp 37 --no-wpp
