# kernels.csv, leave_one_out.csv, optimum.csv: the estimator written in plain R, without
# ksmooth, so that it is independent of R's conventions as well as of ours.
# R 4.2.2. Run in this folder after data.R: Rscript kernels.R
folder <- function(name) if (name == "faithful") "" else "../../../chapters/02_nadaraya_watson/"
set <- function(name) read.csv(paste0(folder(name), name, ".csv"))
kernels <- list(gauss = function(u) exp(-0.5 * u^2),
                box = function(u) 1 * (abs(u) <= 1),
                epan = function(u) pmax(1 - u^2, 0),
                tri = function(u) pmax(1 - abs(u), 0),
                const = function(u) 1 + 0 * u)

predict_at <- function(d, x0, h, K) {
  w <- K((x0 - d$x) / h)
  sum(w * d$y) / sum(w)
}
leave_one_out <- function(d, h, K) {
  p <- sapply(seq_len(nrow(d)), function(i) {
    w <- K((d$x[i] - d$x[-i]) / h)
    if (sum(w) > 0) sum(w * d$y[-i]) / sum(w) else mean(d$y[-i])
  })
  mean((p - d$y)^2)
}

sink("kernels.csv")
cat("data,kernel,h,x,pred\n")
for (name in c("toy40", "faithful", "cars")) {
  d <- set(name)
  h <- signif(diff(range(d$x)) * 0.1, 2)
  for (k in names(kernels)) for (x0 in signif(quantile(d$x, c(0.05, 0.5, 0.95)), 3))
    cat(sprintf("%s,%s,%g,%g,%.10g\n", name, k, h, x0, predict_at(d, x0, h, kernels[[k]])))
}
sink()

sink("leave_one_out.csv")
cat("data,kernel,h,error\n")
widths <- c(toy40 = 0.5, faithful = 0.3, cars = 2)
for (name in names(widths)) for (k in names(kernels))
  cat(sprintf("%s,%s,%g,%.10g\n", name, k, widths[[name]],
              leave_one_out(set(name), widths[[name]], kernels[[k]])))
sink()

sink("optimum.csv")
cat("data,kernel,h,error\n")
brackets <- list(toy40 = c(0.2, 0.8), faithful = c(0.15, 0.4), cars = c(0.8, 3))
for (name in names(brackets)) {
  o <- optimize(function(log_h) leave_one_out(set(name), exp(log_h), kernels$gauss),
                log(brackets[[name]]), tol = 1e-10)
  cat(sprintf("%s,gauss,%.8g,%.10g\n", name, exp(o$minimum), o$objective))
}
sink()
