# ksmooth.csv: predictions of R's own Nadaraya-Watson estimator, ten significant digits.
# R 4.2.2. Run in this folder after data.R: Rscript ksmooth.R
# Its `bandwidth` is not our width h: "normal" has h = 0.3706506 bandwidth and is cut at
# four widths, "box" has h = bandwidth / 2 with both edges included. NA: an empty window.
folder <- function(name) if (name == "faithful") "" else "../../../chapters/02_nadaraya_watson/"
set <- function(name) read.csv(paste0(folder(name), name, ".csv"))
out <- function(name, kernel, bandwidth, at) {
  d <- set(name)
  fit <- ksmooth(d$x, d$y, kernel, bandwidth = bandwidth, x.points = at)
  for (i in seq_along(fit$x))
    cat(sprintf("%s,%s,%.6g,%.6g,%.10g\n", name, kernel, bandwidth, fit$x[i], fit$y[i]))
}
sink("ksmooth.csv")
cat("data,kernel,bandwidth,x,pred\n")
for (bandwidth in c(0.5, 1, 2)) for (kernel in c("normal", "box"))
  out("toy40", kernel, bandwidth, c(0, 0.5, 1.3, 2.5, 3.7, 5))
for (bandwidth in c(0.5, 1)) for (kernel in c("normal", "box"))
  out("faithful", kernel, bandwidth, c(1.6, 2.25, 2.75, 3.0, 3.6, 4.5, 5.1))
for (bandwidth in c(2, 5)) for (kernel in c("normal", "box"))
  out("cars", kernel, bandwidth, c(4, 6, 10, 15.5, 21, 25))
out("faithful", "box", 0.05, c(2.95, 3.0, 4.5))
out("toy40", "box", 0.05, c(2.5))
out("toy40", "box", 0.5, c(-1))
out("toy40", "normal", 0.5, c(-1))
sink()
