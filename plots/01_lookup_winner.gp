# Chapter 1: which key a hard lookup returns at each point of the plane, by distance and by
# dot product.
load STYLE
eval canvas(330)
set multiplot
unset colorbox
set palette maxcolors 3
set palette defined (1 series_1, 2 series_2, 3 series_3)
set cbrange [0.5:3.5]
unset grid
set size ratio 1
set xrange [-1.1:3.1]
set yrange [-1.1:3.1]
set xtics -1,1,3
set ytics -1,1,3
set tmargin at screen 0.80
set bmargin at screen 0.17
set key at screen 0.5, screen 0.99 center top horizontal

set lmargin at screen 0.09
set rmargin at screen 0.50
set xlabel "nearest key"
plot DATA.'/winner.csv' using 1:2:3 with image pixels notitle, \
     NaN with boxes lc rgb series_1 title "key (1, 0)", \
     NaN with boxes lc rgb series_2 title "key (0, 1)", \
     NaN with boxes lc rgb series_3 title "key (2, 2)"

set lmargin at screen 0.57
set rmargin at screen 0.98
set xlabel "largest dot product"
unset key
plot DATA.'/winner.csv' using 1:2:4 with image pixels notitle
unset multiplot
