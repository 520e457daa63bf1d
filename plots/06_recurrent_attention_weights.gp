# Chapter 6: where attention alone looks, 32 rows of the switched series one after the other: a row
# of weights for each, and a ring around the lag that is right.
load STYLE
eval canvas(560)
eval heat_map
set lmargin at screen 0.14
set rmargin at screen 0.82
set tmargin at screen 0.97
set bmargin at screen 0.13
set xlabel "lag" offset 0,0.2
set ylabel "row, in the order of time" offset 1,0
set xtics (1, 3, 6, 9, 12, 16)
set ytics (1, 8, 16, 24, 32)
plot DATA.'/trained_weights.csv' using "lag":"row":"weight" with image pixels notitle, \
     DATA.'/trained_switch.csv' using "lag":"row" with points ls 2 pt 6 ps 1.1 lw 1.6 notitle
