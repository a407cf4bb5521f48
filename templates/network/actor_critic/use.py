ActorCritic(
        dataset.shape,
        dataset.outputs,
        dataset.actions.deviations,
        config.network.width,
        config.network.depth,
    )
