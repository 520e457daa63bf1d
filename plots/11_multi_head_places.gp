# Chapter 11: how often the symbol before is named right, place by place, on sequences four times as
# long as those that were learnt from.
load STYLE
eval canvas(360)
set lmargin at screen 0.15
set rmargin at screen 0.96
set tmargin at screen 0.78
set bmargin at screen 0.19
set xrange [2:64]
set xtics (2, 8, 16, 24, 32, 48, 64)
set grid noxtics ytics
set yrange [0:1.05]
set ytics 0.25
set xlabel "position" offset 0,0.2
set ylabel "accuracy" offset 1,0
set key at screen 0.56, screen 0.99 center top vertical maxrows 2 samplen 1.8
set arrow from 16.5, graph 0 to 16.5, graph 1 nohead ls 8
set arrow from 2, 0.125 to 64, 0.125 nohead ls 8
plot DATA.'/trained_places.csv' using "place":"rotary" with lines ls 1 title "rotary", \
     '' using "place":"sinusoidal" with lines ls 2 title "sinusoidal", \
     '' using "place":"learnt" with lines ls 3 title "learnt", \
     '' using "place":"none" with lines ls 7 title "none"
