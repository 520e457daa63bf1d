# Chapter 8: the mean drop of ln p of a target word if a source word is deleted, by the weight
# between the two, for pairs with a sure link and pairs without any link.
load STYLE
eval canvas(400)
set lmargin at screen 0.14
set rmargin at screen 0.97
set tmargin at screen 0.80
set bmargin at screen 0.17
set xrange [-0.5:5.5]
set yrange [-0.5:*]
set xlabel "weight up to" offset 0,0.2
set ylabel "mean drop of ln p" offset 0.5,0
set key at screen 0.56, screen 0.99 center top vertical maxrows 2 samplen 1.8
F = DATA.'/trained_reasons.csv'
plot F using 0:"sure_additive_before":xticlabels(stringcolumn("up_to")) with linespoints ls 1 title "additive, sure", \
     '' using 0:"none_additive_before" with linespoints ls 6 title "additive, no link", \
     '' using 0:"sure_location" with linespoints ls 5 title "location, sure", \
     '' using 0:"none_location" with linespoints ls 2 title "location, no link"
