# Chapter 13: while models of one and of two layers learn to repeat: the share of repeated tokens that
# is right, and the induction score of the last layer; bands from the lowest to the highest seed.
load STYLE
eval canvas(360)
F = DATA.'/trained_induction.csv'
set lmargin at screen 0.12
set rmargin at screen 0.97
set tmargin at screen 0.80
set bmargin at screen 0.15
set xrange [0:500]
set yrange [0:1]
set ytics 0.25
set xlabel "steps" offset 0,0.2
set key at screen 0.54, screen 0.99 center top vertical maxrows 3 samplen 2
set style fill transparent solid 0.18 noborder
plot F using "steps":"right_2_low":"right_2_high" with filledcurves lc rgb series_1 notitle, \
     '' using "steps":"score_2_low":"score_2_high" with filledcurves lc rgb series_2 notitle, \
     '' using "steps":"right_2" with lines ls 1 title "two layers: right", \
     '' using "steps":"score_2" with lines ls 2 title "two layers: induction score", \
     '' using "steps":"right_1" with lines ls 3 title "one layer: right"
