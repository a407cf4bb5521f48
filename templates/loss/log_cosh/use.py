LogCosh(reduction)
