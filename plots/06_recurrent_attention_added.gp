# Chapter 6: what attention adds to the LSTM's squared error on four measured series: eight blocks, their
# mean, and how far the mean is uncertain. Each series has a scale of its own, with 0 at one place.
load STYLE
eval canvas(460)
set multiplot
set lmargin at screen 0.20
set rmargin at screen 0.96
set border 1 ls 101
set yrange [-1.6:1.1]
set ytics scale 0
set xtics offset 0,0.5
set arrow 1 from first 0, graph 0 to first 0, graph 1.02 nohead ls 8
set label 1 "attention ahead" at screen 0.56, screen 0.975 right textcolor rgb ink
set label 2 "LSTM ahead" at screen 0.60, screen 0.975 left textcolor rgb ink
unset key
names = "sunspots bjsales seatbelts ftse"
of(series) = strcol("series") eq word(names, series + 1) ? column("per_cent") : NaN
mean(series) = strcol("reference") eq "lstm" ? of(series) : NaN
do for [series = 0:3] {
    top = 0.945 - 0.21 * series
    set tmargin at screen top
    set bmargin at screen top - 0.145
    set xrange [-word("75 750 150 1.5", series + 1):word("75 750 150 1.5", series + 1)]
    set xtics word("50 500 100 1", series + 1) + 0 format "%+g"
    set xtics add ("0" 0)
    set ytics (word(names, series + 1) 0)
    if (series == 3) { set xlabel "squared error added, in % of ridge regression's" offset 0,0.6 }
    plot DATA.'/trained_added_by_attention.csv' using (of(series)):(1 - column("block") / 5.) \
             with points ls 1 ps 0.7 notitle, \
         DATA.'/trained_origins.csv' using (mean(series)):(-1.15):"low":"high" \
             with xerrorbars ls 2 dt solid ps 1.1 notitle
    unset label 1
    unset label 2
}
unset multiplot
