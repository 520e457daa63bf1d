# The style of every figure of the book: `load STYLE` is the first line of each script in this folder.
#
# A script is called with four variables:
#
#     gnuplot -e "DATA='folder of the CSV files'; OUT='figure.svg'; STYLE='style.gp'; NAME='figure name'" script.gp
#
# It reads numbers that a chapter's program wrote (plot DATA.'/loo.csv' using 1:2 ...) and computes
# nothing. It sets no title: the caption stands on the page. In labels and keys, `_` lowers what
# follows and `^` raises it; write \\_ for the character itself.
#
# A figure must be readable as a file of its own, on white and on nearly black, so its colours here
# are middle tones. On a page of the book they follow light and dark: each colour that has a NAME
# below, `name = "#rrggbb"` at the beginning of a line, becomes there the CSS variable --figure-name
# (docs/theme/book.css). So a script takes colours from here by name and writes no hexadecimal number.

set encoding utf8
set datafile separator comma
set datafile columnheaders        # the first line of a CSV file holds names, no numbers

# ---- the canvas: 480 pixels wide, so that the letters can still be read on a telephone of 360
# `eval canvas(400)` directly after `load STYLE` makes a figure 400 pixels high instead of 320.
canvas(height) = sprintf("set terminal svg name '%s' size 480,%d font 'sans-serif,15' rounded enhanced; set output '%s'", NAME, height, OUT)
eval canvas(320)

# ---- colours of the frame
ink = "#7a7a7a"       # text and axes
grid = "#b0b0b0"      # grid lines
muted = "#8c8c8c"     # what is there for comparison: the truth, the mean, chance

# ---- colours of what is shown: six that differ in lightness too, after Okabe and Ito, tuned to
# middle tones; to be told apart with any kind of colour vision
series_1 = "#0072b2"  # blue
series_2 = "#d55e00"  # vermilion
series_3 = "#009e73"  # green
series_4 = "#b85c9e"  # purple
series_5 = "#a87f00"  # ochre
series_6 = "#3e9ad6"  # sky blue

# `with lines ls 1` ... `ls 6`; colour, dash and point all change, so that no figure depends on
# colour alone. ls 7 is the muted line for comparison; ls 8 its dotted form, for thresholds.
set style line 1 lc rgb series_1 lw 2.2 dt solid   pt 7  ps 0.55
set style line 2 lc rgb series_2 lw 2.2 dt (12,4)  pt 9  ps 0.65
set style line 3 lc rgb series_3 lw 2.2 dt (4,4)   pt 5  ps 0.50
set style line 4 lc rgb series_4 lw 2.2 dt (12,4,3,4) pt 13 ps 0.65
set style line 5 lc rgb series_5 lw 2.2 dt (20,6)  pt 11 ps 0.65
set style line 6 lc rgb series_6 lw 2.2 dt (2,4)   pt 6  ps 0.60
set style line 7 lc rgb muted    lw 1.6 dt solid   pt 7  ps 0.40
set style line 8 lc rgb muted    lw 1.2 dt (2,4)   pt 7  ps 0.40
do for [i = 1:6] { set linetype i lc rgb value(sprintf("series_%d", i)) lw 2.2 pt 7 ps 0.55 }
set linetype cycle 6

# ---- frame, tics, grid, key
set style line 101 lc rgb ink lw 1
set border 3 ls 101
set tics nomirror out scale 0.6,0.3 textcolor rgb ink
set xlabel textcolor rgb ink
set ylabel textcolor rgb ink
set x2label textcolor rgb ink
set y2label textcolor rgb ink
set cblabel textcolor rgb ink
set title textcolor rgb ink
set grid back lc rgb grid lw 0.5 dt solid
set key outside top center horizontal Left reverse samplen 2.2 textcolor rgb ink
set style fill solid 0.85 noborder
set boxwidth 0.8 relative
unset colorbox

# ---- heat maps: queries down, keys across, weights from pale to dark in sixteen steps of equal
# difference in perceived lightness. After `eval heat_map`, draw with
#
#     plot DATA.'/weights.csv' using "key":"query":"weight" with image pixels notitle
#
# The range is that of weights, 0 to 1; `set cbrange [0:0.5]` afterwards for faint ones.
heat_0 = "#f2f8fa"
heat_1 = "#ceeef8"
heat_2 = "#ade3f7"
heat_3 = "#8dd6f5"
heat_4 = "#71c9f1"
heat_5 = "#57baec"
heat_6 = "#40abe6"
heat_7 = "#2e9bdd"
heat_8 = "#228bd2"
heat_9 = "#1e7cc5"
heat_10 = "#1f6cb6"
heat_11 = "#225da5"
heat_12 = "#244f92"
heat_13 = "#25427d"
heat_14 = "#243667"
heat_15 = "#212b50"
set palette maxcolors 16
set palette defined ( \
     0 heat_0,   1 heat_1,   2 heat_2,   3 heat_3,   4 heat_4,   5 heat_5,   6 heat_6,   7 heat_7, \
     8 heat_8,   9 heat_9,  10 heat_10, 11 heat_11, 12 heat_12, 13 heat_13, 14 heat_14, 15 heat_15)
heat_map = "unset grid; unset key; set border 0; set tics scale 0; \
    set xrange [*:*] noextend; set yrange [*:*] reverse noextend; set cbrange [0:1]; \
    set colorbox vertical; set cbtics scale 0 textcolor rgb ink; \
    set xtics offset 0,0.3; set ytics offset 0.6,0"
