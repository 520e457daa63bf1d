# Chapter 9: share of lists that are sorted without a mistake against the length of the list; bands from
# the lowest to the highest seed. Networks have learnt from lists of 4 to 8 numbers.
load STYLE
eval canvas(360)
F = DATA.'/trained_sorting_lengths.csv'
set lmargin at screen 0.12
set rmargin at screen 0.97
set tmargin at screen 0.78
set bmargin at screen 0.15
set xrange [4:24]
set yrange [0:1.02]
set ytics 0.25
set xlabel "numbers in the list" offset 0,0.2
set key at screen 0.54, screen 0.99 center top vertical maxrows 3 samplen 2
set style fill transparent solid 0.18 noborder
plot F using "n":"set_encoder_additive_low":"set_encoder_additive_high" with filledcurves lc rgb series_1 notitle, \
     '' using "n":"lstm_encoder_additive_low":"lstm_encoder_additive_high" with filledcurves lc rgb series_2 notitle, \
     '' using "n":"no_mask_ten_times_the_steps_low":"no_mask_ten_times_the_steps_high" with filledcurves lc rgb series_3 notitle, \
     '' using "n":"set_encoder_additive" with linespoints ls 1 title "set encoder", \
     '' using "n":"lstm_encoder_additive" with linespoints ls 2 title "LSTM encoder", \
     '' using "n":"no_mask_ten_times_the_steps" with linespoints ls 3 title "no mask, ten times the steps"
