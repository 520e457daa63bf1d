# Chapter 10: the gates of four slots while a story of task 2 is read, sentences across, slots down; beside
# them the weights with which the slots are read at the end.
load STYLE
eval canvas(280)
eval heat_map
F = DATA.'/trained_gates.csv'
set lmargin at screen 0.14
set rmargin at screen 0.94
set tmargin at screen 0.96
set bmargin at screen 0.22
set xrange [0.5:6.5]
set xtics ("1" 1, "2" 2, "3" 3, "4" 4, "read" 6)
set ytics ("Anna" 1, "Ben" 2, "Clara" 3, "David" 4)
set xlabel "gates at each sentence, and weights of the read"
unset colorbox
set style fill solid 1 noborder
plot F using "sentence":"slot":"gate" with image pixels notitle, \
     '' every ::0::3 using (6):"slot":(0.5):(0.5):"read" with boxxyerror fc palette notitle
