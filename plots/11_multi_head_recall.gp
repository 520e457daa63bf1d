# Chapter 11: accuracy of chapter 6's recall against how many numbers are kept.
load STYLE
eval canvas(360)
set lmargin at screen 0.15
set rmargin at screen 0.96
set tmargin at screen 0.85
set bmargin at screen 0.19
set logscale x 2
set xrange [1.6:1400]
set xtics (2, 8, 32, 128, 512)
set yrange [0:1.05]
set ytics 0.25
set xlabel "numbers kept" offset 0,0.2
set ylabel "accuracy" offset 1,0
set key at screen 0.56, screen 0.99 center top horizontal samplen 1.2 width -2
set arrow from 1.6, 0.125 to 1400, 0.125 nohead ls 8
plot DATA.'/trained_recall.csv' using (stringcolumn("layer") eq "self_attention" ? column("kept") : NaN):"median":"low":"high" with yerrorlines ls 1 title "self-attention", \
     '' using (stringcolumn("layer") eq "linear_attention" ? column("kept") : NaN):"median":"low":"high" with yerrorlines ls 2 title "linear", \
     '' using (stringcolumn("layer") eq "gru" ? column("kept") : NaN):"median":"low":"high" with yerrorlines ls 3 title "GRU"
