# Chapter 11: the share of variance that 1, 2 and 4 heads explain of the difference of two marked
# vectors, seed by seed.
load STYLE
set lmargin at screen 0.15
set rmargin at screen 0.97
set tmargin at screen 0.84
set bmargin at screen 0.22
set xrange [0.5:10.5]
set xtics 1
set yrange [0:1.08]
set ytics 0.25
set grid noxtics noytics
set xlabel "seed" offset 0,0.2
set ylabel "R^2" offset 1,0
set key at screen 0.56, screen 0.99 center top horizontal samplen 1.6
set arrow from 0.5, 0.5 to 10.5, 0.5 nohead ls 8
plot DATA.'/trained_pair_seeds.csv' using "seed":"heads_1" with points ls 2 ps 1.0 title "1 head", \
     '' using "seed":"heads_2" with points ls 1 ps 1.2 pt 6 lw 2 title "2 heads", \
     '' using "seed":"heads_4" with points ls 3 ps 0.7 title "4 heads"
