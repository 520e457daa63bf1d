# The three data sets of the golden values, as CSV files with the columns x and y.
# R 4.2.2, seed 20240101. Run in this folder: Rscript data.R
#   toy40     y = 2 sin x + x + noise, 40 points, rounded to four decimals
#   faithful  eruption -> waiting time, R's `faithful` (the same rows as the chapter's table)
#   cars      speed -> stopping distance, R's `cars`
set.seed(20240101)
x <- sort(runif(40) * 5)
y <- 2 * sin(x) + x + rnorm(40)
write.csv(data.frame(x = round(x, 4), y = round(y, 4)), "toy40.csv", row.names = FALSE)
write.csv(data.frame(x = faithful$eruptions, y = faithful$waiting), "faithful.csv",
          row.names = FALSE)
write.csv(data.frame(x = cars$speed, y = cars$dist), "cars.csv", row.names = FALSE)
