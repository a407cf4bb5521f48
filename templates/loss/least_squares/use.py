LeastSquares(reduction)
