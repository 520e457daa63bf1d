# Chapter 8: BLEU against the length of the sentence after learning from at most 15 words, beside
# learning from up to 30.
load STYLE
eval canvas(400)
set lmargin at screen 0.17
set rmargin at screen 0.96
set tmargin at screen 0.80
set bmargin at screen 0.16
set xrange [3:30]
set xtics (5, 10, 15, 20, 25, 30)
set yrange [0:102]
set ytics 25
set ylabel "BLEU" offset 1,0
set xlabel "words in the source" offset 0,0.2
set key at screen 0.56, screen 0.99 center top vertical maxrows 2 samplen 1.8
set style fill transparent solid 0.25 noborder
set arrow from 15.5, graph 0 to 15.5, graph 1 nohead ls 8
plot DATA.'/trained_short.csv' using "length":"bleu_none_low":"bleu_none_high" with filledcurves lc rgb series_4 notitle, \
     '' using "length":"bleu_additive_before_low":"bleu_additive_before_high" with filledcurves lc rgb series_1 notitle, \
     DATA.'/trained_lengths.csv' using "length":"bleu_additive_before" with linespoints ls 6 title "attention, up to 30", \
     DATA.'/trained_short.csv' using "length":"bleu_additive_before" with linespoints ls 1 title "attention, up to 15", \
     DATA.'/trained_lengths.csv' using "length":"bleu_none" with linespoints ls 2 title "none, up to 30", \
     DATA.'/trained_short.csv' using "length":"bleu_none" with linespoints ls 4 title "none, up to 15"
