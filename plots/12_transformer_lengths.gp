# Chapter 12: BLEU and exact match against the length of the sentence, for the transformer,
# Bahdanau's model, and the transformer that has learnt from at most 15 words; the band goes from
# the lowest to the highest seed.
load STYLE
eval canvas(640)
set multiplot
set lmargin at screen 0.17
set rmargin at screen 0.96
set xrange [3:30]
set xtics (5, 10, 15, 20, 25, 30)
F = DATA.'/trained_lengths.csv'
set style fill transparent solid 0.25 noborder
set arrow from 15.5, graph 0 to 15.5, graph 1 nohead ls 8

set tmargin at screen 0.87
set bmargin at screen 0.50
set yrange [0:102]
set ytics 25
set format x ""
set ylabel "BLEU" offset 1.6,0
set key at screen 0.56, screen 0.99 center top vertical maxrows 3 samplen 1.8
plot F using "length":"bleu_whole_low":"bleu_whole_high" with filledcurves lc rgb series_1 notitle, \
     '' using "length":"bleu_recurrent_low":"bleu_recurrent_high" with filledcurves lc rgb series_3 notitle, \
     '' using "length":"bleu_brief_low":"bleu_brief_high" with filledcurves lc rgb series_2 notitle, \
     '' using "length":"bleu_whole" with linespoints ls 1 title "transformer", \
     '' using "length":"bleu_recurrent" with linespoints ls 3 title "Bahdanau's", \
     '' using "length":"bleu_brief" with linespoints ls 2 title "15 words at most"

set tmargin at screen 0.46
set bmargin at screen 0.11
set yrange [0:1.02]
set ytics 0.25
set format x "%g"
set ylabel "exact match" offset 1.6,0
set xlabel "words in the source" offset 0,0.2
unset key
plot F using "length":"exact_whole_low":"exact_whole_high" with filledcurves lc rgb series_1 notitle, \
     '' using "length":"exact_recurrent_low":"exact_recurrent_high" with filledcurves lc rgb series_3 notitle, \
     '' using "length":"exact_brief_low":"exact_brief_high" with filledcurves lc rgb series_2 notitle, \
     '' using "length":"exact_whole" with linespoints ls 1 notitle, \
     '' using "length":"exact_recurrent" with linespoints ls 3 notitle, \
     '' using "length":"exact_brief" with linespoints ls 2 notitle
unset multiplot
