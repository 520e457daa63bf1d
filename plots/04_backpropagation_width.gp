# Chapter 4: the leave-one-out error of Old Faithful over the width, whole and near its valleys,
# with the paths of three descents.
load STYLE
eval canvas(620)
set multiplot layout 2,1 margins 0.13,0.97,0.09,0.9 spacing 0,0.12
set logscale x
set format x "%g"
set xrange [0.02:4]
set ylabel "mean squared error"
set key vertical maxrows 3
set yrange [15:60]
plot DATA.'/width_curve.csv' using 1:3 with lines ls 5 title "itself seen", \
     '' using 1:2 with lines ls 7 title "itself hidden", \
     DATA.'/width_paths.csv' using 2:3 with points ls 1 title "from 0.035", \
     '' using 5:6 with points ls 2 title "from 0.35", \
     '' using 8:9 with points ls 4 title "from 3.5", \
     DATA.'/width_valleys.csv' using 1:2 with points ls 3 ps 1.2 title "valleys"
set key off
set xlabel "width h, minutes"
set xrange [0.15:1]
set xtics (0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1)
set yrange [32.2:33]
plot DATA.'/width_curve.csv' using 1:2 with lines ls 7, \
     DATA.'/width_paths.csv' using 2:3 with points ls 1, \
     '' using 5:6 with points ls 2, \
     '' using 8:9 with points ls 4, \
     DATA.'/width_valleys.csv' using 1:2 with points ls 3 ps 1.2
unset multiplot
