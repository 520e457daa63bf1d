# Chapter 3: entropy of the weights, share of decided queries and norm of the Jacobian against
# the size d, with and without the root of d.
load STYLE
eval canvas(600)
set multiplot
set logscale x 2
set xrange [1:1024]
set xtics (1, 4, 16, 64, 256, 1024)
set lmargin at screen 0.19
set rmargin at screen 0.95

set tmargin at screen 0.82
set bmargin at screen 0.50
set format x ""
set yrange [0:1]
set ytics 0.25
set ylabel "share" offset 0.5,0
set key at screen 0.55, screen 0.99 center top maxrows 4
plot DATA.'/root.csv' using "d":"entropy_plain" with linespoints ls 1 title "entropy, q·k", \
     '' using "d":"entropy_scaled" with linespoints ls 2 title "entropy, q·k / √d", \
     '' using "d":"decided_plain" with linespoints ls 3 title "decided, q·k", \
     '' using "d":"decided_scaled" with linespoints ls 4 title "decided, q·k / √d"

set tmargin at screen 0.45
set bmargin at screen 0.13
set format x "%g"
set yrange [0:0.36]
set ytics 0.1
set ylabel "norm of Jacobian" offset 0.5,0
set xlabel "d, numbers in a query and in a key" offset 0,0.2
unset key
plot DATA.'/root.csv' using "d":"jacobian_plain" with linespoints ls 1, \
     '' using "d":"jacobian_scaled" with linespoints ls 2

unset multiplot
