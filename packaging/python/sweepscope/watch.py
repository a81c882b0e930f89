# SPDX-License-Identifier: MIT
"""Reports what a PyTorch script does without a change to it: loss, learning rate, times, samples and epochs per rank, and
common mistakes.

It hooks into what all training loops call: backward() of a scalar, the optimizer's step, the next batch of a DataLoader.
Values of a GPU are copied without waiting and read one step later. What a script reports itself is not reported twice.
If anything fails here, the script continues without being watched, and agent.log says so.
"""

import atexit
import functools
import itertools
import os
import sys
import time
import weakref

from . import run as reporting
from .fingerprint import fingerprint
from .mistakes import Mistakes

_HASHED_VALUES = 16_384
_SUM = 2  # the reduction of a loss
_MOST_LOSSES = 1024  # of one step
_SAMPLED = 10  # steps between measurements of DistributedDataParallel
_SHARDING = ("deepspeed", "megatron.core")  # their ranks hold parts of a model in ordinary tensors
_MOST_AHEAD = 2  # batches of a loader that are fetched before one is used
_LAST_WAIT = 0.1  # seconds
_HERE = os.path.dirname(os.path.abspath(__file__))
_now = time.perf_counter
_watcher = None


def install(torch, report_failure):
    """Watch what this process does with `torch`. Does nothing the second time. `report_failure` is called with a sentence
    if that fails, now or later."""
    global _watcher
    if _watcher is None:
        _watcher = Watcher(torch, report_failure)
        _watcher.begin()


class _Loss:
    """A scalar whose gradients were computed."""

    __slots__ = ("value", "divisor", "ready")

    def __init__(self, torch, loss):
        unscaled = getattr(loss, "_sweepscope_unscaled", loss)
        self.divisor = _divisor(unscaled)
        value = unscaled.detach().clone()
        self.ready = None
        if value.device.type == "cuda":
            copy = torch.empty((), dtype=value.dtype, pin_memory=True)
            copy.copy_(value.reshape(()), non_blocking=True)
            self.ready = torch.cuda.Event()
            self.ready.record()
            value = copy
        self.value = value

    def number(self):
        if self.ready is not None:
            self.ready.synchronize()
        return float(self.value)


def _divisor(loss):
    """By what a loss was divided at last: by the number of batches, perhaps, whose gradients are accumulated. A sum over
    samples that is divided by their number counts as not divided."""
    divisor, function = 1.0, loss.grad_fn
    try:
        while function is not None and function.name() in ("DivBackward0", "MulBackward0"):
            other = float(function._saved_other)
            divisor *= other if function.name() == "DivBackward0" else 1 / other
            function = function.next_functions[0][0]
        if divisor != 1 and getattr(function, "_saved_reduction", None) == _SUM:
            divisor /= function._saved_target.numel()
    except Exception:  # divided by something else than a number
        return 1.0
    return divisor


class _Step:
    """What is to be reported of a step whose losses may not have arrived."""

    __slots__ = ("number", "losses", "figures")

    def __init__(self, number, losses, figures):
        self.number = number
        self.losses = losses
        self.figures = figures


class _Feed:
    """What an iterator over a DataLoader has given since the last step."""

    __slots__ = ("loader", "pass_number", "place", "waited", "samples", "unused", "first_batch")

    def __init__(self, loader, pass_number, place):
        self.loader = loader
        self.place = place
        self.pass_number = pass_number
        self.waited = 0.0
        self.samples = 0
        self.unused = 0  # batches since the last backward()
        self.first_batch = None


class Watcher:
    def __init__(self, torch, report_failure):
        self._torch = torch
        self._report_failure = report_failure
        self._process = os.getpid()
        self._broken = False
        self._reported = set()  # names of series
        self._claimed = set()  # names that integrations report instead
        self._run = None
        self._step = 0
        self._earlier_steps = 0  # those of earlier attempts, if an integration knows them
        self._losses = []
        self._waiting = None  # a step
        self._last_end = None
        self._interrupted = False  # by an evaluation: the time since the last step is not that of a step
        self._norm = None
        self._has_stepped = False  # since the last boundary between two steps
        self._optimizers = weakref.WeakKeyDictionary()  # to their numbers in the order of their first steps
        self._numbers = itertools.count()
        self._backwards = 0
        self._stepped_at = weakref.WeakKeyDictionary()  # of optimizers: backward passes before their last step
        self._accumulated = set()  # numbers of batches by which losses were divided
        self._feeds = weakref.WeakKeyDictionary()  # by iterator
        self._passes = weakref.WeakKeyDictionary()  # of DataLoaders
        self._latest = None  # the feed of the last batch
        self._trained_passes = weakref.WeakKeyDictionary()  # of loaders
        self._first_loader = None  # whose passes are epochs
        self._epoch = 0
        self._world_size = reporting._number("WORLD_SIZE", 1)
        self._mistakes = Mistakes(torch, self._world_size, self._tell)
        self._package = os.path.dirname(os.path.abspath(torch.__file__))
        self._examined = None  # the optimizer whose weights and gradients are compared
        self._compared = -1  # the last step whose weights were
        self._has_compared_gradients = False
        self._begun_step = 0  # the last step after which a backward() began

    def begin(self):
        self._noting(self._watch_all)()

    def _watch_all(self):
        self._watch_backward()
        self._watch_optimizers()
        self._watch_loaders()
        self._watch_clipping()
        self._watch_replicas()
        atexit.register(self._noting(self._flush))
        atexit.register(self._noting(self._let_threads_finish))

    # What integrations ask and say.

    def reports(self, name):
        """Return whether this series of the process has points, or will have one for the last step."""
        return not self._broken and name in self._reported

    def leave(self, names):
        """Report these series no more."""
        self._claimed.update(names)
        self._reported.difference_update(names)

    def continue_from(self, step, epochs):
        """The training was resumed after these steps and epochs."""
        self._earlier_steps = step - self._step
        self._epoch = epochs

    def _is_left_to_script(self, name):
        return reporting._script_reports or name in self._claimed

    def _at(self, step):
        return self._earlier_steps + step

    # What is watched. A wrapper calls the original, whatever happens to what it notes.

    def _noting(self, note):
        """`note`, so that it never raises."""

        @functools.wraps(note)
        def guarded(*arguments):
            if self._broken or os.getpid() != self._process:
                return
            try:
                note(*arguments)
            except Exception as error:
                self._give_up(error)

        return guarded

    def _give_up(self, error):
        self._broken = True
        self._waiting = None
        self._losses = []
        frame = error.__traceback__
        while frame.tb_next is not None:
            frame = frame.tb_next
        text = "this script is {} watched: {!r} in line {} of {}".format(
            "no longer" if self._step else "not", error, frame.tb_lineno, os.path.basename(frame.tb_frame.f_code.co_filename))
        self._report_failure(text)
        try:
            self._reporter().event(text, kind="warning", step=self._at(self._step))
        except Exception:  # agent.log says it
            pass

    def _reporter(self):
        if self._run is None:
            self._run = reporting.current()
            distributed = self._torch.distributed
            # Of several processes that a script starts by itself, rank 0 reports.
            is_other = (distributed.is_available() and distributed.is_initialized()
                       and distributed.get_world_size() > self._world_size and distributed.get_rank() > 0)
            if is_other:
                self._run.close()
            if is_other or not self._run.active:
                if not is_other and not self._broken and reporting._problem:
                    self._report_failure("this script is not watched: " + reporting._problem)
                self._broken = True
                self._run = reporting.Run(None, 0, 1, {})
        return self._run

    def _watch_backward(self):
        torch, note = self._torch, self._noting(self._backward)
        original = torch.autograd.backward

        boundary = self._noting(self._boundary)

        @functools.wraps(original)
        def backward(tensors, grad_tensors=None, *arguments, **named):
            boundary()
            note(tensors)
            return original(tensors, grad_tensors, *arguments, **named)

        torch.autograd.backward = backward
        scalers = [getattr(getattr(torch, "amp", None), "GradScaler", None), torch.cuda.amp.GradScaler]
        for scaler in scalers:
            if scaler is not None and "scale" in vars(scaler):
                self._watch_scaler(scaler)

    def _watch_scaler(self, scaler):
        original = scaler.scale

        @functools.wraps(original)
        def scale(self, outputs):
            scaled = original(self, outputs)
            try:
                scaled._sweepscope_unscaled = outputs
            except Exception:
                pass
            return scaled

        scaler.scale = scale

    def _watch_optimizers(self):
        torch, before, after = self._torch, self._noting(self._steps), self._noting(self._stepped)
        optimizer = torch.optim.Optimizer
        for cleared in (optimizer, torch.nn.Module):
            self._watch_clearing(cleared)
        try:
            from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
        except ImportError:  # before 2.0
            self._watch_steps_of_classes(optimizer, before, after)
        else:
            register_optimizer_step_pre_hook(lambda stepping, *_: before(stepping))
            register_optimizer_step_post_hook(lambda stepped, *_: after(stepped))

    def _watch_clearing(self, cls):
        """Gradients that are thrown away are those of no step: of an attack on the inputs, or of a closure."""
        original, note = cls.zero_grad, self._noting(self._discard)

        @functools.wraps(original)
        def zero_grad(self, *arguments, **named):
            note()
            return original(self, *arguments, **named)

        cls.zero_grad = zero_grad

    @staticmethod
    def _watch_steps_of_classes(base, before, after):
        """Wraps step() in the class, so that it stays a bound method of each optimizer: schedulers look at that."""
        original = base.__init__

        def wrap(cls):
            step = cls.step

            @functools.wraps(step)
            def noted(self, *arguments, **named):
                before(self)
                result = step(self, *arguments, **named)
                after(self)
                return result

            noted._sweepscope = True
            cls.step = noted

        @functools.wraps(original)
        def init(self, *arguments, **named):
            if not getattr(type(self).step, "_sweepscope", False):
                wrap(type(self))
            original(self, *arguments, **named)

        base.__init__ = init

    def _watch_loaders(self):
        from torch.utils.data import DataLoader, dataloader

        begun, given = self._noting(self._pass_begun), self._noting(self._batch_given)
        iterate, advance = DataLoader.__iter__, dataloader._BaseDataLoaderIter.__next__

        @functools.wraps(iterate)
        def __iter__(loader):
            iterator = iterate(loader)
            begun(loader, iterator)
            return iterator

        boundary = self._noting(self._boundary)

        @functools.wraps(advance)
        def __next__(iterator):
            boundary()
            begin = _now()
            batch = advance(iterator)
            given(iterator, batch, _now() - begin)
            return batch

        from torch.utils.data.distributed import DistributedSampler

        set_epoch, known = DistributedSampler.set_epoch, self._noting(self._mistakes.set_epochs.add)

        @functools.wraps(set_epoch)
        def noted(sampler, epoch):
            known(sampler)
            return set_epoch(sampler, epoch)

        DistributedSampler.set_epoch = noted
        DataLoader.__iter__ = __iter__
        dataloader._BaseDataLoaderIter.__next__ = __next__

    def _watch_clipping(self):
        utils, note = self._torch.nn.utils, self._noting(self._clipped)
        original = utils.clip_grad_norm_

        @functools.wraps(original)
        def clip_grad_norm_(*arguments, **named):
            norm = original(*arguments, **named)
            note(norm)
            return norm

        utils.clip_grad_norm_ = clip_grad_norm_
        utils.clip_grad.clip_grad_norm_ = clip_grad_norm_

    def _watch_replicas(self):
        from torch.nn.parallel import DistributedDataParallel

        # Not forward(): torch.compile looks at it.
        note, original = self._noting(self._replicated), DistributedDataParallel.__init__

        @functools.wraps(original)
        def init(replica, *arguments, **named):
            original(replica, *arguments, **named)
            note(replica)

        DistributedDataParallel.__init__ = init

    # What is noted.

    def _backward(self, tensors):
        if not isinstance(tensors, self._torch.Tensor):
            tensors = list(tensors)
            if len(tensors) != 1:
                return
            tensors = tensors[0]
        if tensors.numel() != 1:
            return
        if self._examined is not None and self._examined() is not None and self._step != self._begun_step:
            self._begun_step = self._step
            self._mistakes.check_clearing(self._examined(), self._step, self._place)
        self._backwards += 1
        self._losses.append(_Loss(self._torch, tensors))
        del self._losses[:-_MOST_LOSSES]
        feed = self._latest
        if feed is not None and self._trained_passes.get(feed.loader) != feed.pass_number:
            self._training_began(feed)
        for feed in self._feeds.values():
            feed.unused = 0

    def _discard(self):
        self._boundary()
        self._losses = []
        self._mistakes.cleared = True

    def _boundary(self, is_last=False):
        """Between two steps: what follows the optimizer, outside of the range in which torch's profiler shows its step."""
        if self._has_stepped:
            self._has_stepped = False
            self._reporter()._step_ended(self._at(self._step), is_last)

    def _training_began(self, feed):
        """The first gradients of batches of a pass."""
        again = feed.loader in self._trained_passes
        self._trained_passes[feed.loader] = feed.pass_number
        if self._first_loader is None:
            self._first_loader = weakref.ref(feed.loader)
        if self._first_loader() is feed.loader or self._first_loader() is None:
            self._first_loader = weakref.ref(feed.loader)
            self._epoch += 1
            if self._epoch > 1:
                self._reporter().event("epoch {} begins".format(self._epoch), kind="epoch", step=self._at(self._step))
        self._mistakes.check_loader(feed.loader, feed.place, again)
        if feed.first_batch is not None and self._is_shuffled(feed.loader):
            self._reporter().log(self._at(self._step + 1), sample_order=feed.first_batch)

    def _pass_begun(self, loader, iterator):
        self._passes[loader] = self._passes.get(loader, 0) + 1
        self._feeds[iterator] = _Feed(loader, self._passes[loader], self._place())

    def _batch_given(self, iterator, batch, seconds):
        feed = self._feeds.get(iterator)
        if feed is None:
            return
        feed.unused += 1
        if not self._torch.is_grad_enabled() or feed.unused > _MOST_AHEAD:
            self._interrupted = True  # an evaluation
            return
        tensors = _tensors(self._torch, batch)
        feed.waited += seconds
        if tensors and tensors[0].dim() > 0:
            feed.samples += tensors[0].size(0)
        if feed.first_batch is None and tensors:
            feed.first_batch = self._hash_of(tensors)
        self._latest = feed

    def _clipped(self, norm):
        self._norm = norm.detach() if isinstance(norm, self._torch.Tensor) else norm

    def _steps(self, optimizer):
        """Before a step. Outer optimizers come before those that they call."""
        if self._examined is None:
            self._examined = weakref.ref(optimizer)
        if self._examined() is not optimizer:
            return
        self._compare_weights(optimizer)
        if self._step == 1 and not self._has_compared_gradients:
            self._has_compared_gradients = True
            self._compare_gradients(optimizer)

    def _stepped(self, optimizer):
        end = _now()
        if self._backwards > 0 and self._stepped_at.get(optimizer) == self._backwards:
            return  # a step() that calls that of its base class
        self._stepped_at[optimizer] = self._backwards
        if optimizer not in self._optimizers:
            self._optimizers[optimizer] = next(self._numbers)
        number = self._optimizers[optimizer]
        losses, self._losses = self._losses, []
        suffix = "" if number == 0 else "_{}".format(number + 1)
        figures = {}
        if number == 0:
            self._step += 1
            figures.update(self._times(end))
        if not self._is_left_to_script("lr" + suffix):
            figures["lr" + suffix] = float(optimizer.param_groups[0]["lr"])
        if self._norm is not None and number == 0 and not self._is_left_to_script("grad_norm"):
            figures["grad_norm"] = self._norm
        self._norm = None
        if losses and self._is_left_to_script("loss" + suffix):
            losses = []
        self._reported.update(figures, ["loss" + suffix] if losses else [])
        self._report(_Step(self._at(self._step), losses, figures), suffix)
        if number == 0:
            self._has_stepped = True
            self._mistakes.check_replicas(optimizer, self._step)
            if self._backwards:  # else something else than autograd computes them
                self._mistakes.check_gradients(optimizer, self._step, self._place)

    def _times(self, end):
        figures = {}
        feed = self._latest
        if self._last_end is not None and not self._interrupted:
            seconds = end - self._last_end
            figures["step_time"] = seconds
            if feed is not None:
                figures["data_wait"] = min(sum(one.waited for one in self._feeds.values()), seconds)
                if feed.samples:
                    figures["samples_per_second"] = feed.samples / seconds
            if self._world_size == 1:
                figures["compute_time"] = seconds - figures.get("data_wait", 0.0)
            else:
                figures.update(self._communication(seconds - figures.get("data_wait", 0.0)))
        for one in self._feeds.values():
            one.waited, one.samples = 0.0, 0
        self._last_end = end
        self._interrupted = False
        return figures

    def _communication(self, seconds):
        """What DistributedDataParallel has measured, at every tenth step."""
        if self._step % _SAMPLED:
            return {}
        for module in self._mistakes.replicas_in_use():
            data = module._get_ddp_logging_data()
            exchanged = data.get("backward_comm_time", 0) / 1e9
            hidden = data.get("backward_compute_comm_overlap_time", 0) / 1e9
            if exchanged > 0:
                waited = min(max(0.0, exchanged - hidden), seconds)
                return {"comm_wait": waited, "comm_overlap": hidden, "compute_time": seconds - waited}
        return {}

    def _report(self, step, suffix):
        """On a GPU the figures of a step are complete when the next one is."""
        late = any(loss.ready is not None for loss in step.losses)
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self._write(*waiting)
        if late:
            self._waiting = (step, suffix)
        else:
            self._write(step, suffix)

    def _flush(self):
        """At the end of the process."""
        self._boundary(is_last=True)
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self._write(*waiting)

    def _let_threads_finish(self):
        """A thread of Gloo that still frees what the last gradients held needs the interpreter for it, and aborts the process if
        that is shutting down (pytorch/pytorch#179291): one rank in 20 with torch 2.15, if a script ends right after its last step."""
        if self._world_size > 1:
            time.sleep(_LAST_WAIT)

    def _mean(self, losses):
        """The mean over the batches of a step, also if the script has divided each by their number; in the last step of an
        epoch there may be fewer."""
        numbers = [loss.number() for loss in losses]
        mean = sum(numbers) / len(numbers)
        divisors = {round(loss.divisor) for loss in losses}
        divisor = divisors.pop()
        if divisors or divisor < 2 or (divisor != len(numbers) and divisor not in self._accumulated):
            return mean
        self._accumulated.add(divisor)
        return mean * divisor

    def _write(self, step, suffix):
        figures = dict(step.figures)
        if step.losses:
            figures["loss" + suffix] = self._mean(step.losses)
        if "grad_norm" in figures:
            figures["grad_norm"] = float(figures["grad_norm"])
        run = self._reporter()
        for name in ("step_time", "data_wait", "compute_time", "comm_wait", "comm_overlap"):
            run.declare(name, "s")
        run.declare("samples_per_second", "samples/s")
        if figures:
            run.log(step.number, figures)

    def _replicated(self, module):
        module._set_ddp_runtime_logging_sample_rate(_SAMPLED)
        # Trainer of Transformers asks for unused parameters by default, so that is no mistake of the script.
        self._mistakes.replicated(module, self._place(), chosen=not _is_called_by(os.path.join("transformers", "trainer.py")))

    def _tell(self, text):
        self._reporter().event(text, kind="warning", step=self._at(self._step))

    # What is needed for that.

    def _place(self):
        """"train.py:12": the innermost line that is not torch's or ours."""
        frame = sys._getframe()
        fallback = "the script"
        while frame is not None:
            file = frame.f_code.co_filename
            if not file.startswith((_HERE, self._package)) and not file.startswith("<"):
                place = "{}:{}".format(os.path.basename(file), frame.f_lineno)
                if "site-packages" not in file and "dist-packages" not in file:
                    return place
                fallback = place if fallback == "the script" else fallback
            frame = frame.f_back
        return fallback

    def _is_shuffled(self, loader):
        sampler = loader.sampler
        from torch.utils.data import RandomSampler

        return isinstance(sampler, RandomSampler) or bool(getattr(sampler, "shuffle", False))

    def _replicated_parameters(self, optimizer):
        """None if ranks have parts of the parameters."""
        if self._mistakes.ranks() == 1 or any(name in sys.modules for name in _SHARDING):
            return None
        parameters = [p for group in optimizer.param_groups for p in group["params"]]
        if any(type(parameter) not in (self._torch.Tensor, self._torch.nn.Parameter) for parameter in parameters):
            return None
        of_fsdp = ("_is_flat_param", "_fsdp_flattened")
        if any(getattr(parameter, name, False) for parameter in parameters for name in of_fsdp):
            return None
        return parameters

    def _compare_weights(self, optimizer):
        """After steps 0, 1, 10, 100, …: replicas must be equal. At the next step, because scripts may exchange weights after
        one."""
        if self._compared == self._step or (self._step and self._step != 10 ** (len(str(self._step)) - 1)):
            return
        self._compared = self._step
        parameters = self._replicated_parameters(optimizer)
        if parameters:
            self._reporter().log(self._at(self._step), weights_hash=self._hash_of(parameters))

    def _compare_gradients(self, optimizer):
        """At step 2, those that no DistributedDataParallel exchanges: the finding `script-mistake` compares them, if the
        weights were equal at first and differ then."""
        parameters = [p for p in self._replicated_parameters(optimizer) or [] if p.grad is not None]
        left = self._mistakes.not_exchanged(parameters)
        if not left or any(parameter.grad.layout != self._torch.strided for parameter in left):
            return
        text = "no DistributedDataParallel averages them"
        if len(left) < len(parameters):
            text = "{} of {} parameters are not in the DistributedDataParallel".format(len(left), len(parameters))
        self._reporter().event("gradients: {}: {}".format(self._place(), text), step=self._at(2))
        self._reporter().log(self._at(2), gradients_hash=self._hash_of([parameter.grad for parameter in left]))

    def _hash_of(self, tensors):
        """Of the first values of each, as bytes."""
        share = max(16, _HASHED_VALUES // max(1, len(tensors)))
        parts = []
        with self._torch.no_grad():
            for tensor in tensors:
                values = tensor.detach().reshape(-1)[:share].cpu().contiguous()
                parts.append(bytes(values.view(self._torch.uint8).tolist()) if values.dtype != self._torch.bool
                             else bytes(values.tolist()))
        return fingerprint(b"".join(parts))


def _is_called_by(file):
    """Whether a file with this end of a path is among the callers."""
    frame = sys._getframe()
    while frame is not None and not frame.f_code.co_filename.endswith(file):
        frame = frame.f_back
    return frame is not None


def _tensors(torch, batch):
    """Those of a batch, but for sparse ones, at most eight."""
    if isinstance(batch, torch.Tensor):
        return [batch] if batch.layout == torch.strided else []
    if isinstance(batch, dict):
        batch = list(batch.values())
    if not isinstance(batch, (list, tuple)):
        return []
    return [tensor for item in batch for tensor in _tensors(torch, item)][:8]
