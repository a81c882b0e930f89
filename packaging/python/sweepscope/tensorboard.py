# SPDX-License-Identifier: MIT
"""Takes the place of torch.utils.tensorboard:

    from sweepscope.tensorboard import SummaryWriter

Scalars become curves; images, figures, histograms and texts are recorded. Everything else is ignored, unless a writer of TensorBoard
gets it as well: SummaryWriter(also=True).
"""

import collections
import sys

from . import frameworks
from .complaint import complain

_IGNORED = frozenset((
    "add_audio", "add_custom_scalars", "add_custom_scalars_marginchart", "add_custom_scalars_multilinechart", "add_embedding",
    "add_graph", "add_histogram_raw", "add_image_with_boxes", "add_mesh", "add_onnx_graph", "add_pr_curve", "add_pr_curve_raw", "add_tensor", "add_video"))

_has_complained = False


class SummaryWriter:
    """`also` forwards all calls to a writer of TensorBoard: to a given one, or with True to one with the same arguments."""

    def __init__(self, log_dir=None, comment="", *arguments, also=None, **named):
        self._run = frameworks.run()
        self._steps = collections.Counter()  # by tag, for those who name none
        self._last_step = 0
        self._also = also or None
        if also is True:
            from torch.utils.tensorboard import SummaryWriter as Other

            self._also = Other(log_dir, comment, *arguments, **named)
        self.log_dir = self._also.log_dir if hasattr(self._also, "log_dir") else log_dir or "runs"

    def add_scalar(self, tag, scalar_value, global_step=None, *arguments, **named):
        if self._also:
            self._also.add_scalar(tag, scalar_value, global_step, *arguments, **named)
        self._report({tag: scalar_value}, global_step, tag)

    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, *arguments, **named):
        if self._also:
            self._also.add_scalars(main_tag, tag_scalar_dict, global_step, *arguments, **named)
        self._report({main_tag: tag_scalar_dict}, global_step, main_tag)

    def add_hparams(self, hparam_dict, metric_dict, *arguments, global_step=None, **named):
        """`metric_dict`: their final values, after the last step."""
        if self._also:
            if global_step is not None:  # older writers do not take it
                named["global_step"] = global_step
            self._also.add_hparams(hparam_dict, metric_dict, *arguments, **named)
        step = self._last_step if global_step is None else int(global_step)
        frameworks.hyperparameters(hparam_dict, step)
        frameworks.report(step, frameworks.numbers(metric_dict))

    def add_text(self, tag, text_string, global_step=None, *arguments, **named):
        if self._also:
            self._also.add_text(tag, text_string, global_step, *arguments, **named)
        self._run.text(tag, text_string, self._step_of(global_step))

    def add_image(self, tag, img_tensor, global_step=None, walltime=None, dataformats="CHW"):
        """Pixels or, as in TensorBoard, an array of which `dataformats` names the dimensions."""
        if self._also:
            self._also.add_image(tag, img_tensor, global_step, walltime, dataformats)
        if self._run._records_media:
            self._run.image(tag, _channels_last(img_tensor, dataformats), self._step_of(global_step))

    def add_images(self, tag, img_tensor, global_step=None, walltime=None, dataformats="NCHW"):
        if self._also:
            self._also.add_images(tag, img_tensor, global_step, walltime, dataformats)
        if self._run._records_media:
            for number, image in enumerate(img_tensor):
                self._run.image("{}/{}".format(tag, number), _channels_last(image, dataformats.replace("N", "")),
                                self._step_of(global_step))

    def add_figure(self, tag, figure, global_step=None, close=True, walltime=None):
        figures = figure if isinstance(figure, (list, tuple)) else [figure]
        for number, each in enumerate(figures):
            self._run.image(tag if len(figures) == 1 else "{}/{}".format(tag, number), each, self._step_of(global_step))
        if self._also:
            self._also.add_figure(tag, figure, global_step, close, walltime)
        elif close and "matplotlib.pyplot" in sys.modules:
            for each in figures:
                sys.modules["matplotlib.pyplot"].close(each)

    def add_histogram(self, tag, values, global_step=None, *arguments, **named):
        """Has 64 bins, whatever `bins` says."""
        if self._also:
            self._also.add_histogram(tag, values, global_step, *arguments, **named)
        self._run.histogram(tag, values, self._step_of(global_step))

    def _step_of(self, global_step):
        return self._last_step if global_step is None else int(global_step)

    def get_logdir(self):
        return self.log_dir

    def flush(self):
        if self._also:
            self._also.flush()

    def close(self):
        if self._also:
            self._also.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __getattr__(self, name):
        if name.startswith("_"):  # not made yet
            raise AttributeError(name)
        if self._also is not None:
            return getattr(self._also, name)
        if name not in _IGNORED:
            raise AttributeError("SummaryWriter has no {}".format(name))

        def ignore(*_, **__):
            _complain_once(name, self._run)

        return ignore

    def _report(self, values, step, counted):
        if step is None:
            step = self._steps[counted]
        self._steps[counted] = self._last_step = int(step)
        self._steps[counted] += 1
        frameworks.report(self._last_step, frameworks.numbers(values))


def _channels_last(image, dimensions):
    """The same image as height x width x channels; `dimensions` is "CHW", "HWC" or "HW" in any order."""
    dimensions = dimensions.upper()
    if sorted(dimensions) not in (sorted("CHW"), sorted("HW")):
        raise ValueError("dataformats must name the dimensions H, W and perhaps C, and {!r} does not".format(dimensions))
    order = [dimensions.index(each) for each in ("HWC" if "C" in dimensions else "HW")]
    if hasattr(image, "detach"):
        return image.detach().permute(*order)
    if hasattr(image, "transpose"):
        return image.transpose(order)
    if len(order) == 2:
        return image if order == [0, 1] else [list(row) for row in zip(*image)]
    try:
        sizes = [len(image), len(image[0]), len(image[0][0])]
    except (TypeError, IndexError):
        raise ValueError("the image does not have the dimensions {}".format(dimensions)) from None

    def value(*place):
        found = image
        for each in dimensions:
            found = found[place["HWC".index(each)]]
        return found

    height, width, channels = (sizes[place] for place in order)
    return [[[value(y, x, c) for c in range(channels)] for x in range(width)] for y in range(height)]


def _complain_once(name, run):
    global _has_complained
    if run.active and not _has_complained:
        _has_complained = True
        complain("sweepscope: {}() is ignored; SummaryWriter(also=True) writes it for TensorBoard"
                 .format(name))
