# Chapter 2: the leave-one-out error of each kernel over the bandwidth, and the error of a
# Gaussian whose points may look at themselves.
load STYLE
eval canvas(380)
set logscale x
set xrange [0.002:10]
set yrange [0:3]
set format x "%g"
set xlabel "bandwidth h"
set ylabel "mean squared error"
set key vertical maxrows 3
plot DATA.'/width.csv' using 1:3 with lines ls 2 title "boxcar", \
     '' using 1:4 with lines ls 3 title "Epanechnikov", \
     '' using 1:5 with lines ls 4 title "triangular", \
     '' using 1:2 with lines ls 1 title "Gaussian", \
     '' using 1:7 with lines ls 5 title "Gaussian, seen", \
     '' using 1:6 with lines ls 7 title "constant"
