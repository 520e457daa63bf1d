# Chapter 2: weights of 21 queries over 40 keys, at three bandwidths and with empty windows. The
# program writes nan for what would have the palest shade; there the background stays.
load STYLE
eval canvas(600)
set multiplot
eval heat_map
set style fill solid 1 noborder
set colorbox horizontal user origin 0.12, 0.105 size 0.83, 0.02
set cbrange [0:0.2]
set cbtics 0.05 offset 0,0.3
set cblabel "weight, full colour from 0.19 on" offset 0,0.8
set xrange [0.5:40.5]
set yrange [5.125:-0.125]
set xtics (1, 20, 40)
set ytics 0,1,5
set object 1 rectangle from graph 0,0 to graph 1,1 behind fillcolor rgb heat_0 fillstyle solid noborder
array name[4] = ["Gaussian, narrow", "Gaussian, chosen", "Gaussian, wide", "boxcar, narrow"]
do for [panel = 1:4] {
    left = panel % 2 == 1 ? 0.12 : 0.59
    top = panel < 3 ? 0.95 : 0.56
    set lmargin at screen left
    set rmargin at screen left + 0.38
    set tmargin at screen top
    set bmargin at screen top - 0.31
    set label 1 name[panel] at graph 0.5, 1.07 center textcolor rgb ink
    set ylabel (panel % 2 == 1 ? "query" : "") offset 1.5,0
    set xlabel (panel > 2 ? "key" : "") offset 0,0.6
    plot DATA.'/weights_drawn.csv' using 2:1:(column(2 + panel)) with image pixels notitle
    unset colorbox
}
unset multiplot
