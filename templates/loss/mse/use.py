MSE(reduction)
