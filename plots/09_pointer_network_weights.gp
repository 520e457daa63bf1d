# Chapter 9: the weights of each step while a network sorts eight numbers: the elements across, from the
# smallest to the largest, the steps down.
load STYLE
eval canvas(330)
eval heat_map
F = DATA.'/trained_pointer_weights.csv'
set lmargin at screen 0.22
set rmargin at screen 0.80
set tmargin at screen 0.95
set bmargin at screen 0.2
set xtics 1
set ytics 1
set xlabel "element, from the smallest to the largest"
set ylabel "step" offset 1.2,0
unset colorbox
plot F using "element":"step":"weight" with image pixels notitle
