NextToken(reduction)
