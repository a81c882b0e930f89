"""Shared by tests that read studies with Optuna. Skips the program where it is not installed."""
import sys
import warnings

try:
    import optuna
    from optuna.storages import JournalStorage
except ImportError as error:
    print(f"skipped: no optuna here ({error})")
    sys.exit(77)
try:
    from optuna.storages.journal import JournalFileBackend
except ImportError:
    from optuna.storages import JournalFileStorage as JournalFileBackend

optuna.logging.set_verbosity(optuna.logging.ERROR)


def journal(file):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        return JournalStorage(JournalFileBackend(str(file)))


def load(file):
    """The only study of a journal."""
    return optuna.load_study(study_name=None, storage=journal(file))
