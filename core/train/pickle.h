#pragma once

#include "train/bytesink.h"

#include <ATen/core/ivalue.h>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace sweepscope::train {

/// An archive as torch.save writes it, for torch.load in Python, piece by piece. LibTorch's pickle_save tags lists and
/// dictionaries with internal types, which Python reads with a warning and, from 2.6 on, rejects.
void pickleForPython(const c10::IValue &value, const ByteSink &sink);

/// The bytes of a tensor's storage.
struct StorageBytes {
    at::DataPtr data;
    std::uint64_t size = 0;
};

/// The value of an archive's "data.pkl", with tensors in the CPU's memory. `storage` returns the content of the record
/// "data/NAME". Throws what LibTorch throws if it is something else, and c10::Error if a tensor reaches beyond its
/// record, which LibTorch does not check.
c10::IValue unpickle(const std::string &pickled, const std::function<StorageBytes(const std::string &name)> &storage);

/// Reads a whole archive in the same way, with tensors that refer to its bytes. The records must not be compressed.
c10::IValue unpickleArchive(std::span<const std::uint8_t> archive);

}  // namespace sweepscope::train
