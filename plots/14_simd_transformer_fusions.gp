# Chapter 14: what a training step takes, one fusion after another, on one thread.
load STYLE
eval canvas(320)
set yrange [0:*]
set ylabel "milliseconds" offset 1,0
set xrange [-0.6:6.6]
set xtics scale 0 rotate by -30 noenhanced
set style fill solid 0.8 noborder
unset key
F = DATA.'/fast_transformer.csv'
plot F using 0:"to":($0-0.4):($0+0.4):"from":"to" with boxxyerror lc rgb series_1, \
     '' using 0:"to":xtic(stringcolumn("step")) with points pt 0 lc rgb series_1
