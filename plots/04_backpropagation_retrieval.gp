# Chapter 4: how often each learnt score finds the key that the query was made from, task by task.
load STYLE
eval canvas(460)
eval heat_map
set lmargin at screen 0.29
set rmargin at screen 0.98
set tmargin at screen 0.88
set bmargin at screen 0.06
unset colorbox
set xrange [-0.5:5.5]
set yrange [8.5:-0.5]
set ytics ("dot" 0, "scaled dot" 1, "cosine" 2, "dot + key bias" 3, "multiplicative" 4, \
    "mult. + key bias" 5, "projected" 6, "additive, no bias" 7, "additive, bias" 8)
unset xtics
set x2range [-0.5:5.5]
set x2tics scale 0 ("same" 0, "lengths" 1, "scale" 2, "rotated" 3, "noisy" 4, "24→16" 5) offset 0,-0.4
set object 1 rectangle from graph 0,0 to graph 1,1 behind fillcolor rgb heat_0 fillstyle solid noborder
tasks = "same lengths scale rotated noisy 24_to_16"
scores = "dot scaled_dot cosine dot_key_bias multiplicative " . \
    "multiplicative_key_bias projected additive_no_bias additive_bias"
place(name, names) = sum [i = 1:words(names)] (word(names, i) eq name ? i - 1 : 0)
x(task) = place(task, tasks)
y(score) = place(score, scores)
number(word) = word eq "nan" ? 0 : real(word)
light(word) = number(word) > 0.5 ? word : ""
dark(word) = word eq "nan" ? "–" : number(word) > 0.5 ? "" : word
shade(word) = word eq "nan" ? NaN : number(word) < 0.1 ? 0 : number(word) # chance is one shade
plot DATA.'/trained_retrieval.csv' using (x(strcol("task"))):(y(strcol("score"))):(shade(strcol("accuracy"))) with image pixels notitle, \
     '' using (x(strcol("task"))):(y(strcol("score"))):(light(strcol("accuracy"))) with labels textcolor rgb heat_0 notitle, \
     '' using (x(strcol("task"))):(y(strcol("score"))):(dark(strcol("accuracy"))) with labels textcolor rgb heat_15 notitle
