# Chapter 11: the weights of one head that names the symbol before on a ring, with W_q and W_k free and
# with one matrix for both. Places that ask down, places that are asked across.
load STYLE
eval canvas(300)
eval heat_map
unset colorbox
set multiplot
set xtics (1, 4, 8, 12)
set ytics (1, 4, 8, 12)
set tmargin at screen 0.90
set bmargin at screen 0.12
do for [panel = 1:2] {
    set lmargin at screen (panel == 1 ? 0.08 : 0.57)
    set rmargin at screen (panel == 1 ? 0.49 : 0.98)
    set title (panel == 1 ? "free" : "tied")
    plot DATA.'/trained_projection_weights.csv' using "key":"query":(panel == 1 ? column("free") : column("tied")) with image pixels notitle
}
unset multiplot
