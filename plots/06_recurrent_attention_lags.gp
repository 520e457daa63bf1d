# Chapter 6: the mean weight of attention alone at each lag, for both positions of the switch.
load STYLE
set lmargin at screen 0.17
set rmargin at screen 0.97
set tmargin at screen 0.85
set bmargin at screen 0.24
set xrange [0.5:16.5]
set xtics (1, 3, 6, 9, 12, 16)
set yrange [0:1.05]
set ytics 0.5
set xlabel "lag" offset 0,0.2
set ylabel "mean weight" offset 1,0
set key at screen 0.55, screen 0.98 center top horizontal
plot DATA.'/trained_lags.csv' using "lag":"z_1" with linespoints ls 1 title "z = 1", \
     '' using "lag":"z_0" with linespoints ls 2 title "z = 0"
