# SPDX-License-Identifier: MIT
"""Common mistakes in distributed training, and how to detect them in a running script."""

import weakref

_EXAMINED = 10  # steps after which all parameters have had a gradient, or one has not
_EARLIER = 5  # a step before it: what is wrong at both is wrong at all


class Mistakes:
    """Tells each mistake once, as "mistake NAME: sentence", for the finding `script-mistake`."""

    def __init__(self, torch, world_size, tell):
        self._torch = torch
        self._world_size = world_size
        self._tell = tell
        self._reported = set()
        self._replicas = []
        self._left = 0  # steps after which gradients of earlier ones were left
        self._idle = 0  # steps without gradients
        #: Samplers whose set_epoch() was called.
        self.set_epochs = weakref.WeakSet()
        #: Whether zero_grad() was called, of an optimizer or a module.
        self.cleared = False

    def replicated(self, module, place, chosen):
        """A DistributedDataParallel was made at `place`, with options that the script has `chosen`."""
        self._replicas.append(_Replica(module, place, chosen))

    def replicas_in_use(self):
        """Those whose forward() was called twice or more."""
        return [replica.module() for replica in self._replicas if replica.is_used()]

    def not_exchanged(self, parameters):
        """Returns the parameters whose gradients no DistributedDataParallel averages; None if a wrapper is misused, which is a
        mistake of its own."""
        used = [replica for replica in self._replicas if replica.is_used()]
        if self._replicas and not used:
            return []
        return [parameter for parameter in parameters if not any(replica.exchanges(parameter) for replica in used)]

    def ranks(self):
        distributed = self._torch.distributed
        if distributed.is_available() and distributed.is_initialized():
            return distributed.get_world_size()
        return self._world_size

    def check_loader(self, loader, place, again):
        """At the begin of a pass whose batches are trained with; `again`: not its first one."""
        from torch.utils.data import BatchSampler, IterableDataset, RandomSampler, SequentialSampler, Subset
        from torch.utils.data.distributed import DistributedSampler

        sampler = loader.sampler
        if isinstance(sampler, DistributedSampler):
            if again and sampler.shuffle and sampler not in self.set_epochs:
                self._report("set-epoch", "{}: set_epoch() of the DistributedSampler is never called, so every epoch has the "
                             "same order; call sampler.set_epoch(epoch) before each".format(place))
            return
        plain = type(sampler) in (RandomSampler, SequentialSampler) and type(loader.batch_sampler) is BatchSampler
        # A Subset may be the part of this rank.
        if self.ranks() > 1 and plain and not isinstance(loader.dataset, (IterableDataset, Subset)):
            self._report("no-distributed-sampler", "{}: each of {} ranks goes through all {} samples; use "
                         "DataLoader(..., sampler=DistributedSampler(dataset)), unless each rank has a dataset of its own"
                         .format(place, self.ranks(), len(loader.dataset)))

    def check_clearing(self, optimizer, step, place):
        """Before the first backward() after a step. `place` returns it."""
        if self.cleared or step not in (_EARLIER, _EXAMINED):
            return
        gradients = [p.grad for p in _parameters(optimizer) if p.grad is not None]
        plain = all(type(gradient) is self._torch.Tensor and gradient.layout == self._torch.strided for gradient in gradients)
        self._left += plain and any(bool((gradient != 0).any()) for gradient in gradients)
        if step == _EXAMINED and self._left == 2:
            self._report("zero-grad", "{}: gradients are never cleared, so each step applies those of all earlier steps, too; "
                         "call optimizer.zero_grad() before backward()".format(place()))

    def check_gradients(self, optimizer, step, place):
        """After a step. `place` returns it."""
        if step not in (_EARLIER, _EXAMINED):
            return
        self._idle += all(parameter.grad is None for parameter in _parameters(optimizer))
        if step == _EXAMINED and self._idle == 2:
            self._report("no-gradients", "{}: no parameter has a gradient, so nothing is learned; call backward() between "
                         "zero_grad() and step()".format(place()))

    def check_replicas(self, optimizer, step):
        """After a step."""
        for replica in self._replicas:
            called = step > _EXAMINED or replica.is_used()
            if step == 3 and not called and self.ranks() > 1:
                if replica.module() is None:
                    self._report("wrapper-thrown-away", "{}: DistributedDataParallel(model) is discarded, so gradients are "
                                 "not exchanged; keep it: model = DistributedDataParallel(model)".format(replica.place))
                else:
                    self._report("wrapper-not-called", "{}: training does not call the DistributedDataParallel that is made "
                                 "here, so gradients are not exchanged; call it instead of the model".format(replica.place))
            if not replica.finds_unused or not called or step > _EXAMINED:
                continue
            parameters = [p for p in _parameters(optimizer) if p.requires_grad]
            if any(parameter.grad is None for parameter in parameters):
                replica.finds_unused = False
            elif step == _EXAMINED:
                self._report("find-unused", "{}: find_unused_parameters=True traverses the graph in every step, "
                             "although all parameters had gradients in {} steps; remove it".format(replica.place, step))

    def _report(self, name, sentence):
        if name not in self._reported:
            self._reported.add(name)
            self._tell("mistake {}: {}".format(name, sentence))


def _parameters(optimizer):
    return [parameter for group in optimizer.param_groups for parameter in group["params"]]


class _Replica:
    """A DistributedDataParallel, and whether it is used."""

    def __init__(self, module, place, chosen):
        self.module = weakref.ref(module)
        self.place = place
        self.finds_unused = chosen and bool(getattr(module, "find_unused_parameters", False))
        self._is_used = False
        # It knows of no later ones. By identity, because tensors compare their elements.
        self._parameters = {id(parameter): weakref.ref(parameter) for parameter in module.parameters()}

    def exchanges(self, parameter):
        known = self._parameters.get(id(parameter))
        return known is not None and known() is parameter

    def is_used(self):
        module = self.module()
        if not self._is_used and module is not None:
            # It counts its passes from the second one on.
            self._is_used = module._get_ddp_logging_data().get("iteration", 0) > 0
        return self._is_used and module is not None
