#include "train/data/mappedarchive.h"

#include "base/filedescriptor.h"
#include "train/pickle.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <torch/torch.h>

namespace sweepscope::train {

MappedArchive::MappedArchive(const std::filesystem::path &path)
{
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    TORCH_CHECK(file && fstat(file.get(), &status) == 0 && status.st_size > 0, "cannot read ", path.string());
    m_size = static_cast<std::uint64_t>(status.st_size);
    void *mapped = mmap(nullptr, m_size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    TORCH_CHECK(mapped != MAP_FAILED, "cannot map ", path.string());
    m_begin = static_cast<char *>(mapped);
    try {
        m_value = unpickleArchive({reinterpret_cast<const std::uint8_t *>(m_begin), m_size});
    } catch (...) {
        munmap(m_begin, m_size);
        throw;
    }
}

MappedArchive::~MappedArchive()
{
    m_value = {};
    munmap(m_begin, m_size);
}

std::optional<std::uint64_t> MappedArchive::placeOf(const at::Tensor &tensor) const
{
    const auto *data = static_cast<const char *>(tensor.data_ptr());
    if (tensor.dim() == 0 || !tensor.is_contiguous() || data < m_begin || data > m_begin + m_size)
        return std::nullopt;
    const auto offset = static_cast<std::uint64_t>(data - m_begin);
    return tensor.nbytes() <= m_size - offset ? std::optional(offset) : std::nullopt;
}

}  // namespace sweepscope::train
