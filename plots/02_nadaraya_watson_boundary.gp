# Chapter 2: what the estimate says on average over redrawn tables, at the ends of the data too.
load STYLE
eval canvas(340)
set xrange [0:5]
set yrange [0:5]
set xlabel "query"
set ylabel "truth and mean estimate"
plot DATA.'/boundary.csv' using 1:2 with lines ls 7 title "truth", \
     '' using 1:3 with lines ls 1 title "weighted mean", \
     '' using 1:4 with lines ls 2 title "weighted line"
