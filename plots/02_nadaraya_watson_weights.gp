# Chapter 2: weights of 26 queries over 40 keys, at three widths and with an empty window.
load STYLE
eval canvas(520)
set multiplot
eval heat_map
unset colorbox
set xrange [0.5:40.5]
set yrange [5.1:-0.1]
set xtics (1, 20, 40)
set ytics 0,1,5
do for [panel = 0:3] {
    left = panel % 2 == 0 ? 0.10 : 0.58
    top = panel < 2 ? 0.93 : 0.46
    set lmargin at screen left
    set rmargin at screen left + 0.38
    set tmargin at screen top
    set bmargin at screen top - 0.36
    set label 1 word("Gaussian,\\_narrow Gaussian,\\_chosen Gaussian,\\_wide boxcar,\\_narrow", panel + 1) at graph 0.5, 1.06 center textcolor rgb ink
    plot DATA.'/weights.csv' using 2:1:(column(3 + panel)) with image pixels notitle
}
unset multiplot
