NonSaturating(reduction)
