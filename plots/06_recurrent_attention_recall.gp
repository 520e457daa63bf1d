# Chapter 6: the steps of training until a network recalls, a point a seed; no step means never.
load STYLE
eval canvas(280)
set lmargin at screen 0.34
set rmargin at screen 0.95
set tmargin at screen 0.97
set bmargin at screen 0.25
set logscale x
set xrange [80:30000]
set xtics ("100" 100, "1,000" 1000, "10,000" 10000)
set yrange [5.6:-0.6]
set ytics scale 0 ("RNN, own states" 0, "LSTM, inputs" 1, "LSTM, own states" 2, "LSTM" 3, "GRU" 4, "RNN" 5)
set xlabel "steps of training" offset 0,0.2
unset key
steps(name) = strcol("network") eq name && column("first_at_95") > 0 ? column("first_at_95") : NaN
plot DATA.'/trained_memories.csv' using (steps("rnn_own_states")):(0) with points ls 1 ps 0.9 notitle, \
     '' using (steps("lstm_inputs")):(1) with points ls 1 ps 0.9 notitle, \
     DATA.'/trained_longer.csv' using (steps("lstm_attends_sum")):(2) with points ls 1 ps 0.9 notitle, \
     '' using (steps("lstm")):(3) with points ls 2 ps 0.9 notitle, \
     '' using (steps("gru")):(4) with points ls 2 ps 0.9 notitle, \
     '' using (strcol("network") eq "rnn" && column("seed") == 1 && column("first_at_95") == 0 ? 22000 : NaN):(5):("not learnt") with labels right textcolor rgb ink notitle
