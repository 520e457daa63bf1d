# Chapter 8: the weights of Bahdanau's model for one sentence, the target's words down and the
# source's across. A solid box stands at a sure link, a dashed one at a possible link.
load STYLE
eval canvas(440)
eval heat_map
set lmargin at screen 0.20
set rmargin at screen 0.86
set tmargin at screen 0.98
set bmargin at screen 0.22
set cbtics 0.5
set xtics rotate by 45 right offset 0,0
F = DATA.'/trained_alignment.csv'
L = DATA.'/trained_alignment_links.csv'
sure(x) = column("sure") == 1 ? x : NaN
possible(x) = column("sure") == 0 ? x : NaN
half = 0.44
plot F using "source":"target":"weight":xticlabels(stringcolumn("source_word")):yticlabels(stringcolumn("target_word")) with image pixels notitle, \
     L using (possible(column("source"))):(column("target")):(half):(half) with boxxyerror fs empty border rgb series_2 lw 1.6 dt (4,3) notitle, \
     L using (sure(column("source"))):(column("target")):(half):(half) with boxxyerror fs empty border rgb series_2 lw 2.2 notitle
