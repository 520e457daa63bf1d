# Chapter 12: multiplications for the n-th word, with keys and values kept and computed anew.
load STYLE
eval canvas(340)
set logscale xy
set xrange [1:256]
set xtics (1, 2, 4, 8, 16, 32, 64, 128, 256)
set format y "10^{%T}"
set xlabel "number of the word, t"
set ylabel "multiplications"
F = DATA.'/cost.csv'
plot F using "n":"uncached" with linespoints ls 2 title "computed anew", \
     '' using "n":"cached" with linespoints ls 1 title "kept"
