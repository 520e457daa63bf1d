# Chapter 3: median and mean over the queries of the norm of the weights' slopes with respect to
# q.k, against the size d, with and without the root of d.
load STYLE
eval canvas(380)
set logscale xy
set xrange [1:1024]
set xtics (1, 4, 16, 64, 256, 1024)
set yrange [0.0002:0.6]
set ytics ("½" 0.5, 0.1, 0.01, 0.001)
set ylabel "norm of slopes" offset 1.2,0
set xlabel "d, numbers in a query and in a key"
set key maxrows 2
plot DATA.'/root.csv' using "d":"mean_plain" with linespoints ls 1 title "mean, q·k", \
     '' using "d":"median_plain" with linespoints ls 3 title "median, q·k", \
     '' using "d":"mean_scaled" with linespoints ls 2 title "mean, q·k / √d", \
     '' using "d":"median_scaled" with linespoints ls 4 title "median, q·k / √d"
