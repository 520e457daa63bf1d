# Chapter 4: the error of the Gaussian kernel on Old Faithful over its width, where a point attends to
# itself and where it does not, and near the valleys the paths of three descents.
load STYLE
eval canvas(640)
set multiplot
set logscale x
set format x "%g"
set lmargin at screen 0.17
set rmargin at screen 0.96

set tmargin at screen 0.84
set bmargin at screen 0.54
set xrange [0.001:4]
set yrange [10:60]
set ytics 10
set ylabel "mean squared error" offset 0.5,0
set key at screen 0.55, screen 0.99 center top vertical maxrows 3
plot DATA.'/width_curve.csv' using "width":"hidden" with lines ls 7 title "itself masked", \
     '' using "width":"seen" with lines ls 5 title "itself included", \
     DATA.'/width_paths.csv' using "width_1":"error_1" with points ls 1 title "from 0.035", \
     '' using "width_2":"error_2" with points ls 2 ps 0.9 title "from 0.35", \
     '' using "width_3":"error_3" with points ls 4 title "from 3.5", \
     keyentry with points ls 6 ps 1.6 lw 2.5 title "valleys"

set tmargin at screen 0.45
set bmargin at screen 0.12
set xrange [0.15:1]
set xtics (0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1)
set yrange [32.2:33]
set ytics 0.2
set format y "%.1f"
set xlabel "width h, minutes" offset 0,0.2
unset key
plot DATA.'/width_curve.csv' using "width":"hidden" with lines ls 7, \
     DATA.'/width_paths.csv' using "width_1":"error_1" with points ls 1, \
     '' using "width_2":"error_2" with points ls 2 ps 0.9, \
     '' using "width_3":"error_3" with points ls 4, \
     DATA.'/width_valleys.csv' using "width":"error" with points ls 6 ps 1.6 lw 2.5
unset multiplot
