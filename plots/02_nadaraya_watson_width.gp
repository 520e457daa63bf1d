# Chapter 2: the leave-one-out error of each kernel over the width, and the error of a
# Gaussian whose points may look at themselves.
load STYLE
eval canvas(360)
set logscale x
set xrange [0.02:10]
set yrange [0:2.2]
set xlabel "width h"
set ylabel "mean squared error"
set key maxrows 2
plot DATA.'/width.csv' using 1:2 with lines ls 1 title "Gaussian", \
     '' using 1:3 with lines ls 2 title "boxcar", \
     '' using 1:4 with lines ls 3 title "Epanechnikov", \
     '' using 1:5 with lines ls 4 title "triangular", \
     '' using 1:6 with lines ls 7 title "constant", \
     '' using 1:7 with lines ls 5 title "Gaussian, unmasked"
