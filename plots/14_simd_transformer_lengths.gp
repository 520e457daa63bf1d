# Chapter 14: time and memory of plain and fused attention against the number of tokens. Memory
# is counted on one thread.
load STYLE
eval canvas(600)
set multiplot
set lmargin at screen 0.19
set rmargin at screen 0.94
set logscale xy
set xrange [64:4096]
set xtics (64, 128, 256, 512, 1024, 2048, 4096)
set format y "10^{%T}"

set tmargin at screen 0.85
set bmargin at screen 0.52
set format x ""
set ylabel "milliseconds" offset 0.5,0
set key at screen 0.56, screen 0.995 center top horizontal
F = DATA.'/simd_lengths.csv'
plot F using "tokens":"plain_ms" with linespoints ls 2 title "plain, one thread", \
     '' using "tokens":"fused_ms" with linespoints ls 1 title "fused, all threads", \
     '' using "tokens":"causal_ms" with linespoints ls 3 title "fused, causal, all"

unset key
set tmargin at screen 0.47
set bmargin at screen 0.1
set format x "%g"
set xlabel "tokens" offset 0,0.3
set ylabel "megabytes" offset 0.5,0
F = DATA.'/simd_memory.csv'
plot F using "tokens":"plain_mb" with linespoints ls 2 notitle, \
     '' using "tokens":"fused_mb" with linespoints ls 1 notitle
unset multiplot
