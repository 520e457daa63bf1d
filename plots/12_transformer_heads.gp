# Chapter 12: the weights of the four heads of the attention to the source for one sentence, the
# target's words down and the source's across. A solid box stands at a sure link, a dashed one at a
# possible link.
load STYLE
eval canvas(620)
eval heat_map
set multiplot
F = DATA.'/trained_alignment.csv'
L = DATA.'/trained_alignment_links.csv'
sure(x) = column("sure") == 1 ? x : NaN
possible(x) = column("sure") == 0 ? x : NaN
half = 0.44
unset colorbox
BOXES = "L using (possible(column('source'))):(column('target')):(half):(half) with boxxyerror fs empty border rgb series_2 lw 1.2 dt (4,3) notitle, L using (sure(column('source'))):(column('target')):(half):(half) with boxxyerror fs empty border rgb series_2 lw 1.6 notitle"
set label 1 at graph 0.5, graph 1.05 center textcolor rgb ink
do for [h = 1:4] {
    left = (h % 2 == 1)
    upper = (h <= 2)
    set lmargin at screen (left ? 0.17 : 0.59)
    set rmargin at screen (left ? 0.56 : 0.98)
    set tmargin at screen (upper ? 0.95 : 0.50)
    set bmargin at screen (upper ? 0.56 : 0.11)
    set label 1 sprintf("head %d", h)
    set xtics rotate by 45 right offset 0,0
    if (upper) {
        set format x ""
    }
    set ytics offset 0.6,0
    if (!left) {
        unset ytics
    }
    W = sprintf("head_%d", h)
    if (left && upper) {
        plot F using "source":"target":W:yticlabels(stringcolumn("target_word")) with image pixels notitle, @BOXES
    }
    if (left && !upper) {
        plot F using "source":"target":W:xticlabels(stringcolumn("source_word")):yticlabels(stringcolumn("target_word")) with image pixels notitle, @BOXES
    }
    if (!left && upper) {
        plot F using "source":"target":W with image pixels notitle, @BOXES
    }
    if (!left && !upper) {
        plot F using "source":"target":W:xticlabels(stringcolumn("source_word")) with image pixels notitle, @BOXES
    }
    set format x "%g"
}
unset multiplot
