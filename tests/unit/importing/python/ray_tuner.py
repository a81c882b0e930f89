from ray import tune
from ray.tune.schedulers import ASHAScheduler

config = {
    "lr": tune.loguniform(1e-4, 1e-1),
    "batch_size": tune.choice([2, 4, 8]),
    "layer": {"size": tune.randint(8, 64), "dropout": tune.quniform(0.0, 0.5, 0.1)},
    "noise": tune.randn(0, 2),
    "epochs": 10,
    "device": torch.device("cpu"),
}
config["decay"] = tune.uniform(lower=0, upper=1e-2)
scheduler = ASHAScheduler(max_t=100, grace_period=2, reduction_factor=3)
tuner = tune.Tuner(
    train,
    param_space=config,
    tune_config=tune.TuneConfig(metric="loss", mode="min", num_samples=40, scheduler=scheduler),
)
