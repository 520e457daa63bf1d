# Chapter 1: the contexts of the pencil example inside the triangle of its values.
load STYLE
eval canvas(400)
set xrange [-0.6:6.6]
set yrange [1.2:8.6]
set xlabel "first coordinate of the value"
set ylabel "second coordinate"
set key maxrows 2 samplen 1.6 width -1
set object 1 polygon from 0,2 to 6,2 to 3,8 to 0,2 fillstyle transparent solid 0.12 border lc rgb muted fillcolor rgb muted
set label "v_1" at 0,2 offset -2.2,0 textcolor rgb ink
set label "v_2" at 6,2 offset 0.8,0 textcolor rgb ink
set label "v_3" at 3,8 offset 0.8,0 textcolor rgb ink
set label "average" at 3,4 offset 1,0 textcolor rgb ink
plot DATA.'/hull.csv' using 2:3 with lines ls 1 title "query 1, distance", \
     '' using 4:5 with lines ls 2 title "query 2, distance", \
     '' using 6:7 with lines ls 3 title "query 1, dot", \
     '' using 8:9 with lines ls 4 title "query 2, dot", \
     '+' using (3):(4) every ::0::0 with points ls 7 ps 1 notitle
