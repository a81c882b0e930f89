import optuna
from optuna.samplers import TPESampler

HIGHEST = 10 ** -1


def objective(trial):
    lr = trial.suggest_float("lr", 1e-5, HIGHEST, log=True)
    optimizer = trial.suggest_categorical("optimizer", ["sgd", "adam"])
    if optimizer == "sgd":
        momentum = trial.suggest_float("momentum", 0.0, 0.99)
    else:
        beta = trial.suggest_uniform("beta-1", 0.8, 0.999)
    layers = trial.suggest_int("layers", 1, 3)
    width = trial.suggest_int("width", 16, 512, log=True)
    if layers > 1:
        dropout = trial.suggest_float("dropout", 0.0, 0.5, step=0.1)
    if torch.cuda.is_available():
        batch = trial.suggest_categorical("batch", [32, 64, None])
    for epoch in range(10):
        trial.report(lr, epoch)
        if trial.should_prune():
            raise optuna.TrialPruned()
    return lr


if __name__ == "__main__":
    sampler = TPESampler(seed=7)
    study = optuna.create_study(direction="maximize", study_name="digits", sampler=sampler,
                                pruner=optuna.pruners.MedianPruner(n_warmup_steps=5))
    study.optimize(objective, n_trials=50, timeout=3600, n_jobs=2)
