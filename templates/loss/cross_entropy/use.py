CrossEntropy(reduction)
