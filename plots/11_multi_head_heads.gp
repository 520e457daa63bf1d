# Chapter 11: where each of four heads looks in the word "permutation": letters that ask down, letters
# that are asked across.
load STYLE
eval canvas(480)
eval heat_map
unset colorbox
set multiplot
set xtics ("p" 1, "e" 2, "r" 3, "m" 4, "u" 5, "t" 6, "a" 7, "t" 8, "i" 9, "o" 10, "n" 11)
set ytics ("p" 1, "e" 2, "r" 3, "m" 4, "u" 5, "t" 6, "a" 7, "t" 8, "i" 9, "o" 10, "n" 11)
do for [head = 1:4] {
    set lmargin at screen (head % 2 == 1 ? 0.07 : 0.56)
    set rmargin at screen (head % 2 == 1 ? 0.49 : 0.98)
    set tmargin at screen (head < 3 ? 0.94 : 0.45)
    set bmargin at screen (head < 3 ? 0.55 : 0.06)
    set label 1 sprintf("head %d", head) at graph 0.97, graph 0.93 right front textcolor rgb ink
    plot DATA.'/trained_heads.csv' using "key":"query":(column(sprintf("head_%d", head))) with image pixels notitle
}
unset multiplot
