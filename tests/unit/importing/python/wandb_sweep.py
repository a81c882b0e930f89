import wandb

sweep_config = {"method": "random", "run_cap": 10}
sweep_config["metric"] = {"name": "loss", "goal": "minimize"}
parameters = {"optimizer": {"values": ["adam", "sgd"]}}
parameters.update({"lr": {"distribution": "uniform", "min": 0, "max": 0.1}})
sweep_config["parameters"] = parameters
sweep_id = wandb.sweep(sweep_config, project="digits")
