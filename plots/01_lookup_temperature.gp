# Chapter 1: the weights of six keys for the query 10, and the answer, along the temperature.
load STYLE
eval canvas(460)
set multiplot

set logscale x
set xrange [0.01:10000]
set lmargin at screen 0.17
set rmargin at screen 0.94

set tmargin at screen 0.80
set bmargin at screen 0.45
set format x ""
set yrange [0:1]
set ytics 0.25
set ylabel "weight" offset 1.5,0
set key at screen 0.55, screen 0.98 center top maxrows 3
plot DATA.'/temperature.csv' using 1:4 with lines ls 1 title "9 h", \
     '' using 1:5 with lines ls 2 title "12 h, twice", \
     '' using 1:7 with lines ls 3 title "15 h", \
     '' using 1:3 with lines ls 4 title "6 h", \
     '' using 1:8 with lines ls 5 title "18 h"

set tmargin at screen 0.39
set bmargin at screen 0.15
set format x "%g"
set yrange [12.5:16.9]
set ytics 1
set ylabel "answer, °C" offset 0.5,0
set xlabel "temperature τ of the softmax"
unset key
plot DATA.'/temperature.csv' using 1:2 with lines ls 1

unset multiplot
