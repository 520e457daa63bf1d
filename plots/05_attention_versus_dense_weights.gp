# Chapter 5: the weights over time of eight fresh sequences, without a tanh and with one; a ring
# stands where the marker is.
load STYLE
eval canvas(560)
eval heat_map
set multiplot
set lmargin at screen 0.13
set rmargin at screen 0.86
set ytics 1
set ylabel "sequence" offset 1.2,0
set xtics (1, 5, 10, 15, 20)
set cbtics 0.5
ring(marked) = marked == 1 ? 1 : NaN

set tmargin at screen 0.94
set bmargin at screen 0.59
set title "without tanh" offset 0,-0.6
plot DATA.'/trained_weights.csv' using "step":"sample":"plain" with image pixels notitle, \
     '' using "step":(column("sample") * ring(column("marked"))) with points pt 6 ps 1.3 lw 2 lc rgb series_2 notitle

set tmargin at screen 0.47
set bmargin at screen 0.12
set title "with tanh and one b" offset 0,-0.6
set xlabel "step" offset 0,0.4
plot DATA.'/trained_weights.csv' using "step":"sample":"capped" with image pixels notitle, \
     '' using "step":(column("sample") * ring(column("marked"))) with points pt 6 ps 1.3 lw 2 lc rgb series_2 notitle
unset multiplot
