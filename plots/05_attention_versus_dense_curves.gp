# Chapter 5: R^2 on the marked step, above by the number of steps with the formulas of a tanh,
# below by the number of examples.
load STYLE
eval canvas(680)
set multiplot
set lmargin at screen 0.17
set rmargin at screen 0.95
set ytics 0.25
set format y "%.2f"
set logscale x

set tmargin at screen 0.87
set bmargin at screen 0.56
set yrange [0:1.05]
set xrange [4.5:110]
set xtics (5, 10, 20, 50, 100)
set ylabel "R²" offset 0.5,0
set xlabel "steps T" offset 0,0.4
set key at screen 0.55, screen 0.995 center top vertical maxrows 3 samplen 1.8
plot DATA.'/trained_by_length.csv' using "n_steps":"attention" with linespoints ls 1 title "no tanh", \
     '' using "n_steps":"attention_tanh_one_b" with points ls 2 ps 0.9 title "tanh, one b", \
     '' using "n_steps":"attention_tanh" with points ls 4 ps 0.9 title "tanh alone", \
     DATA.'/ceilings.csv' using "n_steps":"with_bias" with lines ls 7 title "formula, with b", \
     '' using "n_steps":"without_bias" with lines ls 7 dt (12,9) title "formula, without", \
     '' using "n_steps":"mean" with lines ls 8 title "mean of the steps"

set tmargin at screen 0.34
set bmargin at screen 0.10
set yrange [-0.2:1.05]
set xrange [450:60000]
set xtics ("500" 500, "1600" 1600, "5000" 5000, "50000" 50000)
set xlabel "examples to learn from" offset 0,0.4
set key at screen 0.55, screen 0.462 center top vertical maxrows 3 samplen 1.8
plot DATA.'/trained_by_size.csv' using "n_train":"attention" with linespoints ls 1 title "no tanh", \
     '' using "n_train":"embedding_maximum" with linespoints ls 3 title "maximum", \
     '' using "n_train":"attention_tanh_b_t" with linespoints ls 2 title "tanh, b_t", \
     '' using "n_train":"dense_512_hidden" with linespoints ls 5 title "dense, 512", \
     '' using "n_train":"dense_128_hidden" with linespoints ls 6 title "dense, 128", \
     '' using "n_train":"dense_over_both" with linespoints ls 4 title "dense, linear"
unset multiplot
