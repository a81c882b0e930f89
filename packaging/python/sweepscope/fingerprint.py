# SPDX-License-Identifier: MIT
"""A number that stands for many: equal for equal contents in the same order, else different."""

import hashlib

_EXACT_BITS = 53  # of an integer that a float holds exactly


def fingerprint(values):
    """Of bytes, or of integers: the indices that a sampler gives, for instance.

        run.log(step, sample_order=sweepscope.fingerprint(sampler))       # at the start of an epoch
        run.log(step, weights_hash=sweepscope.fingerprint(weights.numpy().tobytes()))
    """
    state = hashlib.blake2b(digest_size=8)
    if isinstance(values, (bytes, bytearray, memoryview)):
        state.update(values)
    else:
        for value in values:
            state.update(int(value).to_bytes(8, "little", signed=True))
    return int.from_bytes(state.digest(), "little") >> (64 - _EXACT_BITS)
