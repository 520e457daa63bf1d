# Chapter 3: how far the weights of the Gaussian kernel and of the dot product are apart when the
# keys' lengths spread.
load STYLE
set xrange [0:0.8]
set yrange [0:1.02]
set ytics 0.25
set xlabel "spread of the keys' lengths"
set ylabel "largest difference of weights"
unset key
plot DATA.'/lengths.csv' using "spread":"largest_difference" with linespoints ls 1
