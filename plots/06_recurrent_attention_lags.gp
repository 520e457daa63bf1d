# Chapter 6: the mean weight of attention alone at each lag, for both positions of the switch, one
# line a seed.
load STYLE
eval canvas(480)
set multiplot
set lmargin at screen 0.15
set rmargin at screen 0.96
set xrange [0.5:16.5]
set xtics (1, 3, 6, 9, 12, 16)
set yrange [0:1.05]
set ytics 0.5
set ylabel "mean weight" offset 0.5,0

set tmargin at screen 0.86
set bmargin at screen 0.56
set format x ""
set label 1 "z = 1" at graph 0.72, graph 0.8 textcolor rgb ink
set key at screen 0.55, screen 0.98 center top horizontal
plot DATA.'/trained_lags.csv' using "lag":"z1_1" with linespoints ls 1 title "seed 1", \
     '' using "lag":"z1_2" with linespoints ls 2 title "seed 2", \
     '' using "lag":"z1_3" with linespoints ls 3 title "seed 3"

set tmargin at screen 0.47
set bmargin at screen 0.17
set format x "%g"
set xlabel "lag" offset 0,0.2
set label 1 "z = 0" at graph 0.35, graph 0.8 textcolor rgb ink
unset key
plot DATA.'/trained_lags.csv' using "lag":"z0_1" with linespoints ls 1, \
     '' using "lag":"z0_2" with linespoints ls 2, \
     '' using "lag":"z0_3" with linespoints ls 3
unset multiplot
