# Chapter 4: the loss on fresh examples while a score is learnt, by optimiser and examples a step;
# and the losses of a wide model on what it learns from and on what it has not seen. A method behind
# the book's three is drawn too.
load STYLE
eval canvas(640)
set multiplot
set lmargin at screen 0.17
set rmargin at screen 0.96
set xrange [0:40]
set xtics 10
set ytics 0.5
set format y "%.1f"
F = DATA.'/trained_lesson.csv'
stats F using 1 nooutput
n = (STATS_columns - 4) / 2 # methods, a column each on all examples and on 16; the wide model has three
more = n < 4 ? "" : ", for [b = 0:1] for [i = 4:n] F using 1:1 + b * n + i with lines ls (i + 3 * b) % 6 + 1 title columnheader(1 + b * n + i) noenhanced"

set tmargin at screen 0.86
set bmargin at screen 0.49
set yrange [0.8:2.2]
set format x ""
set ylabel "loss on fresh examples" offset 0.5,0
set key at screen 0.55, screen 0.99 center top vertical maxrows 3
plot F using "rounds":"SGD_512" with lines ls 4 title "SGD, all 512", \
     '' using "rounds":"momentum_512" with lines ls 5 title "momentum, all 512", \
     '' using "rounds":"Adam_512" with lines ls 3 title "Adam, all 512", \
     '' using "rounds":"SGD_16" with lines ls 2 title "SGD, 16", \
     '' using "rounds":"momentum_16" with lines ls 6 title "momentum, 16", \
     '' using "rounds":"Adam_16" with lines ls 1 title "Adam, 16" @more

set tmargin at screen 0.38
set bmargin at screen 0.12
set yrange [0:2.2]
set format x "%g"
set ylabel "loss, 128 units" offset 0.5,0
set xlabel "passes through the 512 examples" offset 0,0.2
set key at screen 0.56, screen 0.455 center top vertical maxrows 1 samplen 1.6
plot F using "rounds":"wide_train" with lines ls 7 title "training", \
     '' using "rounds":"wide_validation" with lines ls 5 title "validation", \
     '' using "rounds":"wide_fresh" with lines ls 1 title "fresh"
unset multiplot
