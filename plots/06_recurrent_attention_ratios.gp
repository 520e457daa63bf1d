# Chapter 6: squared errors on four measured series as multiples of ridge regression's, the mean of eight blocks.
load STYLE
eval canvas(320)
set key maxrows 1 samplen 1 width -2
set lmargin at screen 0.22
set rmargin at screen 0.95
set bmargin at screen 0.25
set logscale x
set xrange [0.4:60]
set xtics ("0.5" 0.5, "1" 1, "2" 2, "5" 5, "10" 10, "20" 20, "50" 50)
set yrange [3.5:-0.5]
set ytics scale 0 ("sunspots" 0, "bjsales" 1, "seatbelts" 2, "ftse" 3)
set xlabel "squared error, ridge regression's is 1" offset 0,0.2
set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead ls 8
names = "sunspots bjsales seatbelts ftse"
place(name) = sum [i = 1:words(names)] (word(names, i) eq name ? i - 1 : 0)
plot DATA.'/trained_ratios.csv' using "rule":(place(strcol("series"))) with points ls 3 ps 0.9 title "best rule", \
     '' using "lstm":(place(strcol("series"))) with points ls 2 ps 0.9 title "LSTM", \
     '' using "with_attention":(place(strcol("series"))) with points ls 1 ps 0.9 title "LSTM with attention"
