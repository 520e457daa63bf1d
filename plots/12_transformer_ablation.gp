# Chapter 12: what the whole transformer loses if one thing is changed: exact match and alignment
# error; bars are medians of three seeds, whiskers go from the lowest to the highest. A variant behind
# the book's nine is drawn by its name in the file.
load STYLE
eval canvas(560)
set multiplot
F = DATA.'/trained_ablation.csv'
names = "'the whole' 'no residual' 'no norm' 'no feed-forward' 'no positions' 'no decoder self-attention' 'one head' 'no smoothing' 'dropout 0.1'"
set lmargin at screen 0.43
set rmargin at screen 0.95
spaced(key) = strstrt(key, "_") > 0 ? spaced(key[1:strstrt(key, "_") - 1]." ".key[strstrt(key, "_") + 1:*]) : key
stats F using (column(0) < words(names) ? 0 : (names = names." '".spaced(stringcolumn("variant"))."'", 0)) nooutput
set yrange [words(names) - 0.4:-0.6]
set ytics scale 0
do for [i = 1:words(names)] { set ytics add (word(names, i) i - 1) }
set style fill solid 0.85 noborder
set boxwidth 0.7 absolute
unset key

set tmargin at screen 0.98
set bmargin at screen 0.61
set xrange [0:1]
set xtics 0.25
set xlabel "exact match" offset 0,0.4
plot F using (0):0:(0):"exact":(column(0)-0.35):(column(0)+0.35) with boxxyerror lc rgb series_1 notitle, \
     '' using "exact":0:"exact_low":"exact_high" with xerrorbars lc rgb ink pt 7 ps 0.01 lw 1.4 notitle

set tmargin at screen 0.49
set bmargin at screen 0.11
set xlabel "AER of the mean of the heads" offset 0,0.4
plot F using (0):0:(0):"aer":(column(0)-0.35):(column(0)+0.35) with boxxyerror lc rgb series_2 notitle, \
     '' using "aer":0:"aer_low":"aer_high" with xerrorbars lc rgb ink pt 7 ps 0.01 lw 1.4 notitle
unset multiplot
