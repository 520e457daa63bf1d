# Chapter 14: how many times as fast as on one thread.
load STYLE
eval canvas(320)
set style data histograms
set style histogram clustered gap 1.2
set boxwidth 0.9 relative
set yrange [0:*]
set ytics 0.5
set xtics scale 0
set xlabel "threads" offset 0,0.3
set ylabel "times one thread" offset 1,0
set key outside top center horizontal maxrows 2
F = DATA.'/simd_threads.csv'
plot F using "peak":xtic(stringcolumn("threads")) lc rgb muted title "peak", \
     '' using "matrix product" lc rgb series_1 title "matrix product", \
     '' using "softmax" lc rgb series_2 title "softmax", \
     '' using "attention" lc rgb series_3 title "attention"
