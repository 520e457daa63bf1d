# The three data sets of the golden values, as CSV files with the columns x and y. Two of them
# lie in the folder of chapter 2, whose library carries them for chapter 4.
# R 4.2.2, seed 20240101. Run in this folder: Rscript data.R
#   toy40     y = 2 sin x + x + noise, 40 points, rounded to four decimals
#   faithful  eruption -> waiting time, R's `faithful` (the same rows as the chapter's table)
#   cars      speed -> stopping distance, R's `cars`
chapter <- "../../../chapters/02_nadaraya_watson/"
set.seed(20240101)
x <- sort(runif(40) * 5)
y <- 2 * sin(x) + x + rnorm(40)
write.csv(data.frame(x = round(x, 4), y = round(y, 4)), paste0(chapter, "toy40.csv"),
          row.names = FALSE)
write.csv(data.frame(x = faithful$eruptions, y = faithful$waiting), "faithful.csv",
          row.names = FALSE)
write.csv(data.frame(x = cars$speed, y = cars$dist), paste0(chapter, "cars.csv"),
          row.names = FALSE)
