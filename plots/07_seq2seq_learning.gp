# Chapter 7: the loss of a word while the models learn, beside what rules have that do not read
# the source.
load STYLE
eval canvas(380)
set lmargin at screen 0.13
set rmargin at screen 0.96
set tmargin at screen 0.76
set bmargin at screen 0.17
set xrange [0:*]
set yrange [0:6]
set ytics 1
set xlabel "step" offset 0,0.2
set ylabel "cross-entropy of a word" offset 0.5,0
set key at screen 0.56, screen 0.99 center top vertical maxrows 3 samplen 2.2
plot DATA.'/trained_learning.csv' using "step":"GRU_last_state" with lines ls 1 title "GRU, last state", \
     '' using "step":"GRU_mean" with lines ls 2 title "GRU, mean", \
     '' using "step":"GRU_maximum" with lines ls 3 title "GRU, maximum", \
     '' using "step":"LSTM_last_state" with lines ls 4 title "LSTM, last state", \
     '' using "step":"words" with lines ls 7 title "words counted", \
     '' using "step":"pairs" with lines ls 8 lw 2.2 title "pairs counted"
