# Chapter 12: the loss of transformers with two layers each while they learn, with the norm before
# or behind, with warm-up and without, at two rates; the band goes from the lowest to the highest
# seed.
load STYLE
eval canvas(560)
set multiplot
set lmargin at screen 0.15
set rmargin at screen 0.96
set xrange [0:300]
set xtics 100
set yrange [1:6]
set ytics 1
F = DATA.'/trained_curves.csv'
set style fill transparent solid 0.25 noborder

set tmargin at screen 0.87
set bmargin at screen 0.51
set format x ""
set ylabel "loss, peak 0.005" offset 1,0
set key at screen 0.55, screen 0.99 center top vertical maxrows 2 samplen 2.2
plot F using "steps":"pre_warm_slow_low":"pre_warm_slow_high" with filledcurves lc rgb series_1 notitle, \
     '' using "steps":"pre_cold_slow_low":"pre_cold_slow_high" with filledcurves lc rgb series_3 notitle, \
     '' using "steps":"post_warm_slow_low":"post_warm_slow_high" with filledcurves lc rgb series_2 notitle, \
     '' using "steps":"post_cold_slow_low":"post_cold_slow_high" with filledcurves lc rgb series_4 notitle, \
     '' using "steps":"pre_warm_slow" with lines ls 1 title "pre-norm, warm-up", \
     '' using "steps":"pre_cold_slow" with lines ls 3 title "pre-norm, none", \
     '' using "steps":"post_warm_slow" with lines ls 2 title "post-norm, warm-up", \
     '' using "steps":"post_cold_slow" with lines ls 4 title "post-norm, none"

set tmargin at screen 0.47
set bmargin at screen 0.13
set format x "%g"
set ylabel "loss, peak 0.01" offset 1,0
set xlabel "steps" offset 0,0.2
unset key
plot F using "steps":"pre_warm_fast_low":"pre_warm_fast_high" with filledcurves lc rgb series_1 notitle, \
     '' using "steps":"pre_cold_fast_low":"pre_cold_fast_high" with filledcurves lc rgb series_3 notitle, \
     '' using "steps":"post_warm_fast_low":"post_warm_fast_high" with filledcurves lc rgb series_2 notitle, \
     '' using "steps":"post_cold_fast_low":"post_cold_fast_high" with filledcurves lc rgb series_4 notitle, \
     '' using "steps":"pre_warm_fast" with lines ls 1 notitle, \
     '' using "steps":"pre_cold_fast" with lines ls 3 notitle, \
     '' using "steps":"post_warm_fast" with lines ls 2 notitle, \
     '' using "steps":"post_cold_fast" with lines ls 4 notitle
unset multiplot
