#!/bin/sh
# make.sh PLANES: rewrites the streams of this directory with x264 and the
# digests of their pictures, as ffmpeg decodes them, in vectors.txt.
set -eu
planes=$1
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
: >"$here/vectors.txt"
one() { # name plane width height frames x264-options...
  name=$1 plane=$2 w=$3 h=$4 n=$5; shift 5
  python3 - "$planes/$plane.pgm" "$w" "$((h * n))" "$tmp/in.yuv" <<'PY'
import sys, math
if sys.argv[1].endswith('/waves.pgm'): # patches of stripes of every direction
    w, h = int(sys.argv[2]), int(sys.argv[3])
    def px(x, y):
        a = math.pi * ((x // 16) + (y // 16) * 5) / 12
        return int(128 + 100 * math.sin((x * math.cos(a) + y * math.sin(a)) / 2))
    open(sys.argv[4], 'wb').write(bytes(px(x, y) for y in range(h) for x in range(w)))
    sys.exit()
b = open(sys.argv[1], 'rb').read().split(b'\n', 3)
W = int(b[1].split()[0]); w, h = int(sys.argv[2]), int(sys.argv[3])
open(sys.argv[4], 'wb').write(b''.join(b[3][y*W:y*W+w] for y in range(h)))
PY
  x264 --demuxer raw --muxer raw --input-res "${w}x$h" --input-csp i400 --output-csp i400 --fps 1 --keyint 1 --tune psnr --ipratio 1 \
    --no-deblock --threads 1 --quiet -o "$tmp/s.264" "$@" "$tmp/in.yuv"
  # Without the SEI, which names the encoder's options at length.
  ffmpeg -loglevel error -y -f h264 -i "$tmp/s.264" -c copy -bsf:v 'filter_units=remove_types=6' -f h264 "$here/$name.264"
  ffmpeg -loglevel error -y -threads 1 -f h264 -i "$here/$name.264" -vf extractplanes=y -f rawvideo "$tmp/out"
  echo "$name.264 $w $h $(($(stat -c %s "$tmp/out") / w / h)) $(sha256sum "$tmp/out" | cut -d' ' -f1)" >>"$here/vectors.txt"
}
one ultrafast-q12 k0 128 72 1 --preset ultrafast --cabac --qp 12
one medium-q24 k0 126 104 1 --preset medium --qp 24
one placebo-q30 act_b2 136 71 2 --preset placebo --qp 30
one no8x8-q20 adam_v1 120 66 1 --preset slower --no-8x8dct --qp 20
one slices-q28 g_k1 96 96 1 --preset slow --slices 3 --qp 28
one trellis0-q8 w_k1 80 64 1 --preset medium --trellis 0 --qp 8
one pcm-q1 gauss 64 48 1 --preset medium --qp 1
one lossless w_k1 72 64 1 --preset slower --qp 0
one lossless-k3 k3 128 64 1 --preset medium --qp 0
one aq-crf30 k3 128 256 1 --preset fast --crf 30 --aq-mode 2
one q51 v3 128 136 1 --preset medium --qp 51
one smooth-q37 adam_v1 192 128 1 --preset placebo --qp 37
one waves-q26 waves 128 128 1 --preset placebo --qp 26
one waves8-q30 waves 128 128 1 --partitions i8x8 --preset slower --qp 30
one waves-lossless waves 64 64 1 --preset slower --qp 0
