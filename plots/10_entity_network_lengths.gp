# Chapter 10: share of stories of task 1 that are answered right, against their length, with and without
# normalisation; bands from the lowest to the highest seed. The networks have learnt from 8 sentences.
load STYLE
eval canvas(320)
F = DATA.'/trained_ablation_lengths.csv'
set lmargin at screen 0.12
set rmargin at screen 0.97
set tmargin at screen 0.84
set bmargin at screen 0.17
set xrange [8:32]
set yrange [0:1.02]
set xtics (8, 16, 32)
set ytics 0.25
set xlabel "sentences in the story" offset 0,0.2
set key at screen 0.54, screen 0.99 center top vertical maxrows 2 samplen 2
set style fill transparent solid 0.18 noborder
plot F using "sentences":"prelu_low":"prelu_high" with filledcurves lc rgb series_1 notitle, \
     '' using "sentences":"prelu_no_normalisation_low":"prelu_no_normalisation_high" with filledcurves lc rgb series_2 notitle, \
     '' using "sentences":"prelu" with linespoints ls 1 title "slots normalised", \
     '' using "sentences":"prelu_no_normalisation" with linespoints ls 2 title "not normalised"
