# Chapter 6: the error of forecasts of sunspots against how many years ahead they are, direct and
# recursive.
load STYLE
eval canvas(460)
set lmargin at screen 0.13
set rmargin at screen 0.96
set tmargin at screen 0.76
set bmargin at screen 0.15
set xrange [1:12]
set xtics (1, 2, 4, 6, 8, 10, 12)
set yrange [0:6]
set xlabel "years ahead" offset 0,0.2
set ylabel "RMSE" offset 1,0
set key at screen 0.99, screen 0.99 right top vertical maxrows 4 samplen 1.6 width -1
plot DATA.'/trained_horizons.csv' using "horizon":"persistence" with lines ls 7 title "persistence", \
     '' using "horizon":"seasonal_naive" with lines ls 8 lw 2.2 title "seasonal naive", \
     '' using "horizon":"ridge_multi-output" with linespoints ls 3 title "ridge", \
     '' using "horizon":"LSTM_multi-output" with linespoints ls 1 title "LSTM, multi", \
     '' using "horizon":"LSTM_recursive" with linespoints ls 6 title "LSTM, rec.", \
     '' using "horizon":"attention_only_multi-output" with linespoints ls 2 title "attention, multi", \
     '' using "horizon":"attention_only_recursive" with linespoints ls 4 title "attention, rec."
