# Chapter 2: the five kernels over the distance in bandwidths.
load STYLE
set xrange [-3:3]
set yrange [0:1.05]
set xlabel "u, distance of key and query in bandwidths"
set ylabel "K(u)"
set key maxrows 2
plot DATA.'/kernels.csv' using 1:2 with lines ls 1 title "Gaussian", \
     '' using 1:3 with lines ls 2 title "boxcar", \
     '' using 1:4 with lines ls 3 title "Epanechnikov", \
     '' using 1:5 with lines ls 4 title "triangular", \
     '' using 1:6 with lines ls 7 title "constant"
