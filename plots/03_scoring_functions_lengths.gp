# Chapter 3: how far the weights of the Gaussian kernel and of the dot product are apart when the
# keys' lengths spread, over 20 tables of keys.
load STYLE
set xrange [0:0.8]
set yrange [0:1.02]
set ytics 0.25
set xlabel "spread of the keys' lengths"
set ylabel "largest difference of weights"
set key maxrows 2
plot DATA.'/lengths.csv' using "spread":"largest" with lines ls 8 title "largest and smallest of 20 tables", \
     '' using "spread":"median" with linespoints ls 1 title "median", \
     '' using "spread":"smallest" with lines ls 8 notitle
