# The scores of chapter 3 and a masked softmax, written with R's matrices. Made scores.csv:
#     Rscript scores.R > scores.csv
# R 4.2.2; no random numbers.
Q <- rbind(c(0.5, -1, 2), c(-0.25, 1.5, 0.75))
K <- rbind(c(1, 2, -0.5), c(-1.5, 0.25, 1), c(0, -2, 3), c(0.125, 0.5, 0.25))
W <- rbind(c(1, 0, -1), c(0.5, 2, 0), c(-0.25, 1, 1.5))
W_q <- rbind(c(1, -0.5, 0.25), c(0, 1, -1))
W_k <- rbind(c(0.5, 0.5, -1), c(-1, 0.25, 0))
b <- c(0.1, -0.2)
w <- c(2, -1.5)

scaled <- Q %*% t(K) / sqrt(ncol(K))
cosine <- Q %*% t(K) / outer(sqrt(rowSums(Q^2)), sqrt(rowSums(K^2)))
multiplicative <- Q %*% W %*% t(K)
additive <- matrix(0, nrow(Q), nrow(K))
for (i in 1:nrow(Q)) {
    for (j in 1:nrow(K)) {
        additive[i, j] <- sum(w * tanh(W_q %*% Q[i, ] + W_k %*% K[j, ] + b))
    }
}
visible <- rbind(c(TRUE, TRUE, FALSE, FALSE), rep(TRUE, 4))
masked <- ifelse(visible, exp(scaled), 0)
masked <- masked / rowSums(masked)

cat("score,query,key,value\n")
show <- function(name, scores) {
    for (i in 1:nrow(scores)) {
        for (j in 1:ncol(scores)) {
            cat(sprintf("%s,%d,%d,%.15g\n", name, i, j, scores[i, j]))
        }
    }
}
show("scaled dot", scaled)
show("cosine", cosine)
show("multiplicative", multiplicative)
show("additive", additive)
show("masked softmax of scaled dot", masked)
