# Chapter 7: exact match and BLEU against the length of the source, for the four models; the band
# is that of the GRU's seeds.
load STYLE
eval canvas(660)
set multiplot
set lmargin at screen 0.14
set rmargin at screen 0.96
set xrange [4:29]
set xtics ("" 4.5, "" 8.5, "" 12.5, "" 16.5, "" 20.5, "" 24.5, "" 28.5)

set tmargin at screen 0.85
set bmargin at screen 0.505
set yrange [0:1]
set ytics 0.2
set format y "%.1f"
set ylabel "exact match" offset 1,0
set key at screen 0.55, screen 0.99 center top vertical maxrows 3 samplen 2.4
plot DATA.'/trained_curves.csv' using "length":"GRU_last_state_exact_lowest":"GRU_last_state_exact_highest" with filledcurves lc rgb series_1 fs transparent solid 0.2 notitle, \
     '' using "length":"GRU_last_state_exact" with linespoints ls 1 title "GRU, last state", \
     '' using "length":"GRU_mean_exact" with linespoints ls 2 title "GRU, mean", \
     '' using "length":"GRU_maximum_exact" with linespoints ls 3 title "GRU, maximum", \
     '' using "length":"LSTM_last_state_exact" with linespoints ls 4 title "LSTM, last state", \
     '' using "length":"power" with lines ls 8 lw 2.2 title "p^L"

unset key
set tmargin at screen 0.455
set bmargin at screen 0.11
set yrange [0:100]
set ytics 20
set format y "%g"
set xtics ("3–6" 4.5, "7–10" 8.5, "11–14" 12.5, "15–18" 16.5, "19–22" 20.5, "23–26" 24.5, "27–30" 28.5) font ",13"
set ylabel "BLEU" offset 1,0
set xlabel "words in the source" offset 0,0.2
plot DATA.'/trained_curves.csv' using "length":"GRU_last_state_bleu_lowest":"GRU_last_state_bleu_highest" with filledcurves lc rgb series_1 fs transparent solid 0.2 notitle, \
     '' using "length":"GRU_last_state_bleu" with linespoints ls 1 notitle, \
     '' using "length":"GRU_mean_bleu" with linespoints ls 2 notitle, \
     '' using "length":"GRU_maximum_bleu" with linespoints ls 3 notitle, \
     '' using "length":"LSTM_last_state_bleu" with linespoints ls 4 notitle
unset multiplot
