# Chapter 3: entropy of the weights, share of decided queries, and median and mean norm of the
# weights' slopes with respect to q.k against the size d, with and without the root of d.
load STYLE
eval canvas(720)
set multiplot
set logscale x 2
set xrange [1:1024]
set xtics (1, 4, 16, 64, 256, 1024)
set lmargin at screen 0.2
set rmargin at screen 0.95

set tmargin at screen 0.87
set bmargin at screen 0.60
set format x ""
set yrange [0:1]
set ytics 0.25
set ylabel "share" offset 0.5,0
set key at screen 0.55, screen 0.995 center top maxrows 4
plot DATA.'/root.csv' using "d":"entropy_plain" with linespoints ls 1 title "entropy, q·k", \
     '' using "d":"entropy_scaled" with linespoints ls 2 title "entropy, q·k / √d", \
     '' using "d":"decided_plain" with linespoints ls 3 title "decided, q·k", \
     '' using "d":"decided_scaled" with linespoints ls 4 title "decided, q·k / √d"

set tmargin at screen 0.45
set bmargin at screen 0.11
set format x "%g"
set logscale y
set yrange [0.0002:0.6]
set ytics (0.001, 0.01, 0.1, 0.5)
set ylabel "norm of slopes" offset 1.8,0
set xlabel "d, numbers in a query and in a key" offset 0,0.2
set key at screen 0.55, screen 0.575 center top maxrows 4
plot DATA.'/root.csv' using "d":"mean_plain" with linespoints ls 1 title "mean, q·k", \
     '' using "d":"median_plain" with linespoints ls 3 title "median, q·k", \
     '' using "d":"mean_scaled" with linespoints ls 2 title "mean, q·k / √d", \
     '' using "d":"median_scaled" with linespoints ls 4 title "median, q·k / √d"

unset multiplot
