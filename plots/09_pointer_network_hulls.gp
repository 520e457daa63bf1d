# Chapter 9: points, their convex hull, and the hull that one network points at, for 8 and for 15 points.
load STYLE
eval canvas(330)
F = DATA.'/trained_hull_examples.csv'
set multiplot
set tmargin at screen 0.88
set bmargin at screen 0.12
set xrange [-0.05:1.05]
set yrange [-0.05:1.05]
set xtics 0.5
set ytics 0.5
unset key
do for [panel = 0:1] {
    n = panel == 0 ? 8 : 15
    set lmargin at screen (panel == 0 ? 0.08 : 0.58)
    set rmargin at screen (panel == 0 ? 0.48 : 0.98)
    set label 1 sprintf("%d points", n) at screen (panel == 0 ? 0.28 : 0.78), screen 0.94 center textcolor rgb ink
    plot F using "x":(column("points") == n && stringcolumn("kind") eq "hull" ? column("y") : NaN) with lines ls 1 lw 5 notitle, \
         '' using "x":(column("points") == n && stringcolumn("kind") eq "answer" ? column("y") : NaN) with lines ls 2 lw 2 notitle, \
         '' using "x":(column("points") == n && stringcolumn("kind") eq "point" ? column("y") : NaN) with points pt 7 ps 0.6 lc rgb ink notitle
}
unset multiplot
