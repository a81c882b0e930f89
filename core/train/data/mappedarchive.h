#pragma once

#include <ATen/core/ivalue.h>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace sweepscope::train {

/// A file written by torch.save, as values whose tensors refer to the mapped file: tensors that are not used are never
/// read. They must not outlive this object.
class MappedArchive {
public:
    /// Throws what LibTorch throws of a file that is something else, and c10::Error.
    explicit MappedArchive(const std::filesystem::path &path);
    ~MappedArchive();
    MappedArchive(const MappedArchive &) = delete;
    MappedArchive &operator=(const MappedArchive &) = delete;

    const c10::IValue &value() const { return m_value; }
    /// Where in the file the tensor's values lie, when they do so in one piece.
    std::optional<std::uint64_t> placeOf(const at::Tensor &tensor) const;

private:
    char *m_begin = nullptr;
    std::uint64_t m_size = 0;
    c10::IValue m_value;
};

}  // namespace sweepscope::train
