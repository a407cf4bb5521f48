SGD(network.trainable_params(), learning_rate)
