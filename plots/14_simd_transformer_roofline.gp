# Chapter 14: the rungs below the roof that memory and arithmetic make, on one thread and on all.
load STYLE
eval canvas(400)
set logscale xy
set xrange [0.25:1500]
set yrange [0.3:400]
set xtics (0.25, 1, 4, 16, 64, 256, 1024)
set ytics (1, 10, 100)
set xlabel "operations a byte" offset 0,0.3
set ylabel "GFLOP/s" offset 1,0
set key outside top center horizontal maxrows 2
plot DATA.'/simd_roofline.csv' using "intensity":"one" with lines ls 7 lw 2.4 title "one thread", \
     '' using "intensity":"all" with lines ls 8 lw 2.4 title "all threads", \
     DATA.'/simd_ladder_matrix_product.csv' using "intensity":"gflops" with points ls 1 ps 0.8 title "matrix product", \
     DATA.'/simd_ladder_softmax.csv' using "intensity":"gflops" with points ls 2 ps 0.9 title "softmax", \
     DATA.'/simd_ladder_attention.csv' using "intensity":"gflops" with points ls 3 ps 0.8 title "attention"
