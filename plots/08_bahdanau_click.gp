# Chapter 8: while translators learn: the alignment error rate against the step, with that of the
# diagonal, and the entropy of the weights. A translator behind the book's is drawn too.
load STYLE
eval canvas(640)
set multiplot
set lmargin at screen 0.17
set rmargin at screen 0.96
set xrange [0:*]
F = DATA.'/trained_click.csv'
stats F using 1 nooutput
first = 1 + 3 * 5 + 1 # three columns a translator: AER, entropy, words right; the diagonal is last
more(from, title) = STATS_columns - 1 < first ? "" : sprintf(", for [i = %d:STATS_columns - 1:3] F using 1:i with lines ls i / 3 %% 6 + 1 %s", from, title)
more_aer = more(first, "title columnheader(i) noenhanced")
more_entropy = more(first + 1, "notitle")

set tmargin at screen 0.85
set bmargin at screen 0.49
set yrange [0:1]
set ytics 0.25
set format x ""
set ylabel "AER" offset 1.6,0
set key at screen 0.56, screen 0.99 center top vertical maxrows 3 samplen 1.8
plot F using "steps":"diagonal" with lines ls 7 title "diagonal, no training", \
     '' using "steps":"aer_location" with lines ls 5 title "location only", \
     '' using "steps":"aer_general_before" with lines ls 2 title "general, s_{t-1}", \
     '' using "steps":"aer_additive_before" with lines ls 1 title "additive, s_{t-1}", \
     '' using "steps":"aer_additive_after" with lines ls 4 title "additive, s_t", \
     '' using "steps":"aer_general_after" with lines ls 3 title "general, s_t" @more_aer

set tmargin at screen 0.45
set bmargin at screen 0.11
set yrange [0:*]
set ytics 0.5
set format x "%g"
set ylabel "entropy of the weights, nats" offset 1.6,0
set xlabel "steps" offset 0,0.2
unset key
plot F using "steps":"entropy_location" with lines ls 5 notitle, \
     '' using "steps":"entropy_general_before" with lines ls 2 notitle, \
     '' using "steps":"entropy_additive_before" with lines ls 1 notitle, \
     '' using "steps":"entropy_additive_after" with lines ls 4 notitle, \
     '' using "steps":"entropy_general_after" with lines ls 3 notitle @more_entropy
unset multiplot
