# Chapter 14: the last rungs by instruction set, on one thread, beside the peak of the same
# instructions.
load STYLE
eval canvas(340)
set logscale y
set yrange [0.5:300]
set ytics (1, 10, 100)
set ylabel "GFLOP/s" offset 1,0
set style data histograms
set style histogram clustered gap 1.2
set boxwidth 0.9 relative
set xtics scale 0 noenhanced
set key outside top center horizontal maxrows 2
F = DATA.'/simd_instruction_sets.csv'
plot F using "peak":xtic(stringcolumn("instructions")) lc rgb muted title "peak", \
     '' using "matrix product" lc rgb series_1 title "matrix product", \
     '' using "softmax" lc rgb series_2 title "softmax", \
     '' using "attention" lc rgb series_3 title "attention"
