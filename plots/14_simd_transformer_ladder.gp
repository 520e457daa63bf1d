# Chapter 14: what each rung of the three ladders reaches; the line is the peak of the threads that
# the rung runs on. The numbers were measured by the target bench.
load STYLE
eval canvas(690)
set multiplot
set lmargin at screen 0.38
set rmargin at screen 0.96
set logscale x
set xrange [0.3:400]
set xtics (1, 10, 100)
set ytics scale 0
set style fill solid 0.85 noborder
unset key

set tmargin at screen 0.96
set bmargin at screen 0.68
set yrange [7.6:-0.6]
set format x ""
set label 1 "matrix product" at graph 0.995, graph 1.0 right offset 0,0.2 textcolor rgb ink
F = DATA.'/simd_ladder_matrix_product.csv'
plot F using (0.3):"place":(0.3):"gflops":(column("place")-0.36):(column("place")+0.36):ytic(stringcolumn("rung")) with boxxyerror lc rgb series_1 notitle, \
     '' using "peak":"place" with lines ls 8 lw 2 notitle

set tmargin at screen 0.64
set bmargin at screen 0.37
set yrange [8.6:-0.6]
set label 1 "softmax" at graph 0.995, graph 1.0 right offset 0,0.2 textcolor rgb ink
F = DATA.'/simd_ladder_softmax.csv'
plot F using (0.3):"place":(0.3):"gflops":(column("place")-0.36):(column("place")+0.36):ytic(stringcolumn("rung")) with boxxyerror lc rgb series_2 notitle, \
     '' using "peak":"place" with lines ls 8 lw 2 notitle

set tmargin at screen 0.335
set bmargin at screen 0.1
set yrange [6.6:-0.6]
set format x "%g"
set xlabel "GFLOP/s" offset 0,0.4
set label 1 "attention" at graph 0.995, graph 1.0 right offset 0,0.2 textcolor rgb ink
F = DATA.'/simd_ladder_attention.csv'
plot F using (0.3):"place":(0.3):"gflops":(column("place")-0.36):(column("place")+0.36):ytic(stringcolumn("rung")) with boxxyerror lc rgb series_3 notitle, \
     '' using "peak":"place" with lines ls 8 lw 2 notitle
unset multiplot
