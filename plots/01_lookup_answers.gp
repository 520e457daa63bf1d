# Chapter 1: the nearest and the soft answer while the query moves through the day.
load STYLE
eval canvas(320)
set xrange [5:19]
set yrange [7:22]
set xtics 6,3,18
set xlabel "hour of the query"
set ylabel "answer, °C" offset 0.5,0
plot DATA.'/answers.csv' using 1:2 with lines ls 2 title "nearest", \
     '' using 1:3 with lines ls 1 title "soft, temperature 1", \
     DATA.'/readings.csv' using 1:2 with points ls 7 ps 0.7 title "readings"
