# Chapter 8: BLEU and exact match against the length of the sentence, for five translators;
# the band goes from the lowest to the highest seed. A translator behind the book's nine is drawn too.
load STYLE
eval canvas(640)
set multiplot
set lmargin at screen 0.17
set rmargin at screen 0.96
set xrange [3:30]
set xtics (5, 10, 15, 20, 25, 30)
F = DATA.'/trained_lengths.csv'
stats F using 1 nooutput
first = 1 + 6 * 9 + 2 # six columns a translator: exact match and BLEU, each low, median, high
more(from, title) = STATS_columns < first ? "" : sprintf(", for [i = %d:STATS_columns:6] F using 1:i with linespoints ls i / 6 %% 6 + 1 %s", from, title)
more_bleu = more(first + 3, "title columnheader(i) noenhanced")
more_exact = more(first, "notitle")
set style fill transparent solid 0.25 noborder

set tmargin at screen 0.85
set bmargin at screen 0.48
set yrange [0:102]
set ytics 25
set format x ""
set ylabel "BLEU" offset 1.6,0
set key at screen 0.56, screen 0.99 center top vertical maxrows 3 samplen 1.8
plot F using "length":"bleu_none_low":"bleu_none_high" with filledcurves lc rgb series_4 notitle, \
     '' using "length":"bleu_location_low":"bleu_location_high" with filledcurves lc rgb series_5 notitle, \
     '' using "length":"bleu_tutorial_low":"bleu_tutorial_high" with filledcurves lc rgb series_2 notitle, \
     '' using "length":"bleu_general_after_low":"bleu_general_after_high" with filledcurves lc rgb series_3 notitle, \
     '' using "length":"bleu_additive_before_low":"bleu_additive_before_high" with filledcurves lc rgb series_1 notitle, \
     '' using "length":"bleu_additive_before" with linespoints ls 1 title "additive, s_{t-1}", \
     '' using "length":"bleu_general_after" with linespoints ls 3 title "general, s_t", \
     '' using "length":"bleu_location" with linespoints ls 5 title "location only" @more_bleu, \
     '' using "length":"bleu_tutorial" with linespoints ls 2 title "location, tutorial's", \
     '' using "length":"bleu_none" with linespoints ls 4 title "no attention"

set tmargin at screen 0.44
set bmargin at screen 0.11
set yrange [0:1.02]
set ytics 0.25
set format x "%g"
set ylabel "exact match" offset 1.6,0
set xlabel "words in the source" offset 0,0.2
unset key
plot F using "length":"exact_none_low":"exact_none_high" with filledcurves lc rgb series_4 notitle, \
     '' using "length":"exact_location_low":"exact_location_high" with filledcurves lc rgb series_5 notitle, \
     '' using "length":"exact_tutorial_low":"exact_tutorial_high" with filledcurves lc rgb series_2 notitle, \
     '' using "length":"exact_general_after_low":"exact_general_after_high" with filledcurves lc rgb series_3 notitle, \
     '' using "length":"exact_additive_before_low":"exact_additive_before_high" with filledcurves lc rgb series_1 notitle, \
     '' using "length":"exact_additive_before" with linespoints ls 1 notitle, \
     '' using "length":"exact_general_after" with linespoints ls 3 notitle, \
     '' using "length":"exact_location" with linespoints ls 5 notitle, \
     '' using "length":"exact_tutorial" with linespoints ls 2 notitle, \
     '' using "length":"exact_none" with linespoints ls 4 notitle @more_exact
unset multiplot
