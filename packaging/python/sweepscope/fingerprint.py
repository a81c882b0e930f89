# SPDX-License-Identifier: MIT
"""A hash of a sequence: equal for equal contents in the same order."""

import hashlib

_EXACT_BITS = 53  # the largest integers that a float represents exactly


def fingerprint(values):
    """Hash bytes, or integers such as the indices of a sampler, to an integer that a float represents exactly.

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
