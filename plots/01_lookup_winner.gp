# Chapter 1: which key a hard lookup returns at each point of the plane, by distance and by
# dot product.
load STYLE
eval canvas(340)
set multiplot
unset colorbox
set palette maxcolors 3
set palette defined (0 series_1, 1 series_2, 2 series_3)
set cbrange [-0.5:2.5]
unset grid
set xrange [-1.1:3.1]
set yrange [-1.1:3.1]
set xtics -1,1,3
set ytics -1,1,3
set tmargin at screen 0.72
set bmargin at screen 0.16
set key at screen 0.5, screen 0.99 center top vertical maxrows 3
set border 0
set tics scale 0

set lmargin at screen 0.09
set rmargin at screen 0.50
set label 1 "nearest key" at screen 0.295, screen 0.035 center textcolor rgb ink
set label 2 "largest dot product" at screen 0.775, screen 0.035 center textcolor rgb ink
plot DATA.'/winner.csv' using 1:2:3 with image pixels notitle, \
     DATA.'/pencil_keys.csv' using 1:2 with points pt 7 ps 1.1 lc rgb "white" notitle, \
     DATA.'/pencil_keys.csv' using 1:2 with points pt 6 ps 1.1 lc rgb ink notitle, \
     NaN with boxes lc rgb series_1 title "key (1, 0)", \
     NaN with boxes lc rgb series_2 title "key (0, 1)", \
     NaN with boxes lc rgb series_3 title "key (2, 2)"

set lmargin at screen 0.57
set rmargin at screen 0.98
unset key
unset label
plot DATA.'/winner.csv' using 1:2:4 with image pixels notitle, \
     DATA.'/pencil_keys.csv' using 1:2 with points pt 7 ps 1.1 lc rgb "white" notitle, \
     DATA.'/pencil_keys.csv' using 1:2 with points pt 6 ps 1.1 lc rgb ink notitle
unset multiplot
