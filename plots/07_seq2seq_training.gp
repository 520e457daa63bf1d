# Chapter 7: exact match and BLEU against the length of the source after trainings of different
# lengths; the bands are those of the seeds. Columns: lowest, median and highest of each training.
load STYLE
eval canvas(660)
set multiplot
set lmargin at screen 0.14
set rmargin at screen 0.96
set xrange [4:29]
set xtics ("" 4.5, "" 8.5, "" 12.5, "" 16.5, "" 20.5, "" 24.5, "" 28.5)

set tmargin at screen 0.87
set bmargin at screen 0.51
set yrange [0:1]
set ytics 0.2
set format y "%.1f"
set ylabel "exact match" offset 1,0
set key at screen 0.55, screen 0.99 center top vertical maxrows 2 samplen 2.4
plot DATA.'/trained_longer_exact.csv' using 1:2:4 with filledcurves lc rgb series_1 fs transparent solid 0.2 notitle, \
     '' using 1:5:7 with filledcurves lc rgb series_2 fs transparent solid 0.2 notitle, \
     '' using 1:8:10 with filledcurves lc rgb series_3 fs transparent solid 0.2 notitle, \
     '' using 1:3 with linespoints ls 1 title columnheader(3), \
     '' using 1:6 with linespoints ls 2 title columnheader(6), \
     '' using 1:9 with linespoints ls 3 title columnheader(9), \
     '' using 1:15 with linespoints ls 7 title columnheader(15)

unset key
set tmargin at screen 0.46
set bmargin at screen 0.11
set yrange [0:100]
set ytics 20
set format y "%g"
set xtics ("3–6" 4.5, "7–10" 8.5, "11–14" 12.5, "15–18" 16.5, "19–22" 20.5, "23–26" 24.5, "27–30" 28.5) font ",13"
set ylabel "BLEU" offset 1,0
set xlabel "words in the source" offset 0,0.2
plot DATA.'/trained_longer_bleu.csv' using 1:2:4 with filledcurves lc rgb series_1 fs transparent solid 0.2 notitle, \
     '' using 1:5:7 with filledcurves lc rgb series_2 fs transparent solid 0.2 notitle, \
     '' using 1:8:10 with filledcurves lc rgb series_3 fs transparent solid 0.2 notitle, \
     '' using 1:3 with linespoints ls 1 notitle, \
     '' using 1:6 with linespoints ls 2 notitle, \
     '' using 1:9 with linespoints ls 3 notitle, \
     '' using 1:15 with linespoints ls 7 notitle
unset multiplot
