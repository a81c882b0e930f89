import ray.tune as tune

analysis = tune.run(train, config=dict(lr=tune.grid_search([0.1, 0.01]), size=tune.grid_search([8, 16]), seed=1), metric="acc",
                    mode="max")
