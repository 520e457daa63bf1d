# Chapter 2: Old Faithful, and the Gaussian estimate with three bandwidths.
load STYLE
eval canvas(360)
set xrange [1.4:5.3]
set yrange [40:100]
set xlabel "length of the eruption, minutes"
set ylabel "waiting time, minutes"
plot DATA.'/old_faithful.csv' using 1:2 with points ls 7 notitle, \
     DATA.'/fit.csv' using 1:2 with lines ls 2 dt solid lw 1.6 title "narrow", \
     keyentry with lines ls 1 lw 3 title "chosen", \
     '' using 1:4 with lines ls 3 title "wide", \
     '' using 1:3 with lines ls 1 lw 3 notitle
