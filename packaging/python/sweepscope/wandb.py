# SPDX-License-Identifier: MIT
"""Takes the place of wandb, offline and without an account:

    import sweepscope.wandb as wandb

Numbers become curves, and the parameters of the trial those of `config`, as in a sweep of W&B. Images, histograms, tables and
artifacts are recorded; audio, video and others are ignored.
"""

import atexit
import os
import tempfile

from . import frameworks
from .complaint import complain

#: The run between init() and finish().
run = None
_complained = set()


class Error(Exception):
    """A call that needs a run."""


UsageError = CommError = Error


class Values:
    """Values by name, as attributes and items."""

    def __init__(self):
        object.__setattr__(self, "_values", {})

    def as_dict(self):
        return dict(self._values)

    def get(self, name, otherwise=None):
        return self._values.get(name, otherwise)

    def keys(self):
        return self._values.keys()

    def values(self):
        return self._values.values()

    def items(self):
        return self._values.items()

    def __getitem__(self, name):
        return self._values[name]

    def __setitem__(self, name, value):
        self.update({name: value})

    def __getattr__(self, name):
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError("{} has no {}".format(type(self).__name__.lower(), name)) from None

    def __setattr__(self, name, value):
        self.update({name: value})

    def __contains__(self, name):
        return name in self._values

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def __repr__(self):
        return repr(self._values)


class Config(Values):
    """Settings as attributes and items. Parameters of the trial cannot be changed."""

    def __init__(self):
        super().__init__()
        object.__setattr__(self, "_fixed", {})

    def _begin(self, values, fixed):
        self._values.clear()
        self._fixed.clear()
        self._values.update(values)
        self._fixed.update(fixed)
        self._values.update(fixed)

    def update(self, values, allow_val_change=None):
        for name, value in frameworks.as_dict(values).items():
            if name not in self._fixed:
                self._values[name] = value
            elif value != self._fixed[name]:
                _complain_once("config." + str(name), "{!r} is a parameter of the trial, so config keeps {!r}".format(
                    name, self._fixed[name]))

    def setdefaults(self, values):
        self.update({name: value for name, value in frameworks.as_dict(values).items() if name not in self._values})


class Summary(Values):
    """The last value of each name. A number that the script sets is reported at the current step."""

    def update(self, values=None, **more):
        values = dict(values or {}, **more)
        self._values.update(values)
        if run is not None:
            run._report(values)


class Run:
    """Made by init()."""

    def __init__(self, project=None, name=None, group=None, job_type=None, tags=None, notes=None, id=None, entity=None):
        self._reporter = frameworks.run()
        trial = os.environ.get("SWEEPSCOPE_TRIAL")
        self.project, self.group, self.job_type, self.notes, self.entity = project, group, job_type, notes, entity
        self.name = name or ("trial-" + trial if trial else "run")
        self.id = id or self.name
        self.tags = tuple(tags or ())
        self.url = None
        self.offline = True
        self.disabled = not self._reporter.active
        self.sweep_id = trial
        self.resumed = False
        self.config = config
        self.summary = summary
        self._step = 0
        self._held = {}  # with commit=False
        self._dir = None

    @property
    def step(self):
        return self._step

    @property
    def dir(self):
        """A folder for files."""
        if self._dir is None:
            attempt = os.environ.get("SWEEPSCOPE_ATTEMPT_FOLDER")
            self._dir = os.path.join(attempt, "files") if attempt else tempfile.mkdtemp(prefix="sweepscope-")
            os.makedirs(self._dir, exist_ok=True)
        return self._dir

    def log(self, data, step=None, commit=None, sync=None):
        """Report numbers at `step`, which never decreases, else at the step after the last call. With commit=False, they wait
        for a call that commits, or for the next step."""
        if not hasattr(data, "keys"):
            raise TypeError("wandb.log() needs a dictionary")
        if step is not None:
            step = int(step)
            if step < self._step:
                _complain_once("step", "step {} is ignored: it is less than the current step {}".format(step, self._step))
                return
            if step > self._step:
                self._release()
                self._step = step
        summary._values.update(data)
        if commit is False:
            self._held.update(data)
            return
        self._held, held = {}, self._held
        self._report(dict(held, **data))
        if commit or step is None:
            self._step += 1

    def _release(self):
        self._held, held = {}, self._held
        if held:
            self._report(held)

    def _report(self, values):
        if self._reporter._records_media:
            frameworks.report(self._step, frameworks.numbers(self._without_media(values), ".", _ignore))

    def _without_media(self, values, prefix=""):
        """Record media. Returns the other values."""
        others = {}
        for name, value in values.items():
            path = prefix + str(name)
            if isinstance(value, Media):
                value._record(self._reporter, path, self._step)
            elif isinstance(value, (list, tuple)) and value and all(isinstance(each, Media) for each in value):
                for number, each in enumerate(value):
                    each._record(self._reporter, "{}/{}".format(path, number), self._step)
            elif isinstance(value, dict):
                others[name] = self._without_media(value, path + ".")
            else:
                others[name] = value
        return others

    def alert(self, title, text="", level="INFO", wait_duration=0):
        kinds = {"WARN": "warning", "ERROR": "error"}
        self._reporter.event("{}: {}".format(title, text), kind=kinds.get(getattr(level, "value", level), "message"), step=self._step)

    def finish(self, exit_code=None, quiet=None):
        global run
        self._release()
        if run is self:
            run = None

    def define_metric(self, name, *_, **__):
        """Does nothing: the step of a curve is that of log()."""

    def watch(self, *_, **__):
        """Does nothing."""

    unwatch = mark_preempting = watch

    def save(self, *_, **__):
        _ignore("save()")

    def log_artifact(self, artifact_or_path, name=None, *_, **__):
        """Copy an artifact's files, or one file."""
        artifact = artifact_or_path
        if not isinstance(artifact, Artifact):
            artifact = Artifact(name or os.path.basename(os.fspath(artifact_or_path)))
            artifact.add_file(artifact_or_path)
        for path, stored in artifact._files:
            self._reporter.artifact(path, stored, self._step)
        return artifact

    def log_model(self, path, name=None, *_, **__):
        self.log_artifact(path, name)

    def log_code(self, *_, **__):
        """Does nothing: Sweepscope stores the code of each trial."""

    def use_artifact(self, *_, **__):
        raise Error("sweepscope.wandb has no artifacts")

    def get_url(self):
        return None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.finish()


class Settings:
    """Ignored."""

    def __init__(self, **named):
        self.__dict__.update(named)


class AlertLevel:
    INFO, WARN, ERROR = "INFO", "WARN", "ERROR"


class Media:
    """Ignored when it is logged, unless a subclass records it."""

    def __init__(self, *_, **__):
        pass

    def _record(self, reporter, name, step):
        _ignore(self)


class Audio(Media):
    pass


class Video(Media):
    pass


class Html(Media):
    pass


class Object3D(Media):
    pass


class Image(Media):
    def __init__(self, data_or_path, mode=None, caption=None, *_, **__):
        super().__init__()
        self._image = data_or_path._image if isinstance(data_or_path, Image) else data_or_path
        self._caption = caption or ""

    def _record(self, reporter, name, step):
        reporter.image(name, self._image, step, self._caption)


class Histogram(Media):
    def __init__(self, sequence=None, np_histogram=None, num_bins=64):
        super().__init__()
        self._values, self._bins = sequence, np_histogram

    def _record(self, reporter, name, step):
        if self._bins is None:
            reporter.histogram(name, self._values, step)
        else:
            reporter._histogram_of_bins(name, self._bins[0], self._bins[1], step)


class Artifact:
    def __init__(self, name, type=None, *_, **__):
        self.name, self.type = name, type
        self._files = []  # their paths and names

    def add_file(self, local_path, name=None, *_, **__):
        self._files.append((local_path, name or os.path.basename(os.fspath(local_path))))

    def add_dir(self, local_path, name=None, *_, **__):
        for folder, _, files in sorted(os.walk(local_path)):
            for file in sorted(files):
                path = os.path.join(folder, file)
                self._files.append((path, os.path.join(name or "", os.path.relpath(path, local_path))))

    def add(self, *_, **__):
        _ignore("Artifact.add()")

    add_reference = add


class Table(Media):
    def __init__(self, columns=None, data=None, rows=None, dataframe=None, **__):
        super().__init__()
        if dataframe is not None:
            columns, data = list(dataframe.columns), dataframe.values
        data = data if data is not None else rows if rows is not None else []
        self.data = [list(row) for row in (data.tolist() if hasattr(data, "tolist") else data)]
        self.columns = list(columns or (["Input", "Output", "Expected"] if not self.data else range(len(self.data[0]))))

    def add_data(self, *row):
        self.data.append(list(row))

    def add_column(self, name, data, optional=False):
        data = data.tolist() if hasattr(data, "tolist") else list(data)
        if not self.data:
            self.data, self.columns = [[] for _ in data], []
        self.columns.append(name)
        for row, value in zip(self.data, data):
            row.append(value)

    def _record(self, reporter, name, step):
        words = {Image: "image", Histogram: "histogram"}
        rows = [[words.get(type(value), value) for value in row] for row in self.data]
        reporter.table(name, self.columns, rows, step)


config = Config()
summary = Summary()


def init(project=None, config=None, name=None, group=None, job_type=None, tags=None, notes=None, id=None, entity=None, **_):
    """Begin a run, or return the one that has begun. `config`: a dictionary or a namespace."""
    global run
    if run is None:
        run = Run(project, name, group, job_type, tags, notes, id, entity)
        run.config._begin(frameworks.as_dict(config), run._reporter.params)
        summary._values.clear()
        frameworks.hyperparameters(run.config.as_dict())
    elif config:
        run.config.update(config)
    return run


def _needs_run(name):
    def call(*arguments, **named):
        if run is None:
            raise Error("call wandb.init() before wandb.{}()".format(name))
        return getattr(run, name)(*arguments, **named)

    call.__name__ = name
    return call


log = _needs_run("log")
alert = _needs_run("alert")
define_metric = _needs_run("define_metric")
watch = _needs_run("watch")
unwatch = _needs_run("unwatch")
save = _needs_run("save")
log_artifact = _needs_run("log_artifact")
log_model = _needs_run("log_model")
log_code = _needs_run("log_code")
use_artifact = _needs_run("use_artifact")


def finish(exit_code=None, quiet=None):
    if run is not None:
        run.finish()


def login(*_, **__):
    """Returns True: no account is needed."""
    return True


def setup(*_, **__):
    pass


def sweep(*_, **__):
    raise Error("describe the sweep in a file of Sweepscope, and start it with sweepctl run")


agent = sweep


def _ignore(value):
    _complain_once("media", "{} is ignored; numbers, images, histograms and tables are recorded".format(
        value if isinstance(value, str) else "a value of type " + type(value).__name__))


def _complain_once(about, text):
    if about not in _complained and frameworks.run().active:
        _complained.add(about)
        complain("sweepscope.wandb: " + text)


@atexit.register
def _finish_at_exit():
    finish()
