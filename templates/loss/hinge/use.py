Hinge(reduction)
