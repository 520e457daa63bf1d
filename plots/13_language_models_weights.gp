# Chapter 13: the weights of both layers of one model on one sequence that repeats, queries down,
# keys across.
load STYLE
eval canvas(300)
eval heat_map
F = DATA.'/trained_weights.csv'
set multiplot
set tmargin at screen 0.88
set bmargin at screen 0.2
set xtics 8
set ytics 8
unset colorbox
set lmargin at screen 0.09
set rmargin at screen 0.48
set label 1 "layer 1" at screen 0.285, screen 0.94 center textcolor rgb ink
set label 2 "layer 2" at screen 0.785, screen 0.94 center textcolor rgb ink
set xlabel "key" offset 0,0.2
set ylabel "query" offset 1.2,0
plot F using "key":"query":"weight_1" with image pixels notitle
set lmargin at screen 0.59
set rmargin at screen 0.98
unset label 1
unset label 2
unset ylabel
plot F using "key":"query":"weight_2" with image pixels notitle
unset multiplot
