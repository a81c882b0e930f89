#include "train/data/mappedarchive.h"

#include "base/filedescriptor.h"

#include <algorithm>
#include <caffe2/serialize/inline_container.h>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <torch/csrc/jit/serialization/unpickler.h>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

std::uint64_t littleEndian16(const char *bytes)
{
    return static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[0]))
           | static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[1])) << 8U;
}

}  // namespace

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
        caffe2::serialize::PyTorchStreamReader reader(path.string());
        const std::string pickled = [&reader] {
            const auto [content, size] = reader.getRecord("data.pkl");
            return std::string(static_cast<const char *>(content.get()), size);
        }();
        std::size_t position = 0;
        const auto read = [&](char *to, std::size_t size) {
            const std::size_t length = std::min(size, pickled.size() - position);
            std::memcpy(to, pickled.data() + position, length);
            position += length;
            return length;
        };
        const auto place = [&](const std::string &name) {
            const std::uint64_t offset = reader.getRecordOffset("data/" + name);
            TORCH_CHECK(isStored(offset), "the tensors in it are compressed");
            return at::DataPtr(m_begin + offset, at::kCPU);
        };
        torch::jit::Unpickler unpickler(read, nullptr, nullptr, place, torch::Device(torch::kCPU));
        m_value = unpickler.parse_ivalue();
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

/// The header before a record's content (PKWARE's APPNOTE, 4.3.7) ends where the content begins; it says at byte 8 how
/// that is packed, 0: as it is.
bool MappedArchive::isStored(std::uint64_t offset) const
{
    constexpr std::uint64_t fixed = 30;
    constexpr std::uint64_t longest = 4096;
    for (std::uint64_t length = fixed; length <= std::min(longest, offset) && offset <= m_size; ++length) {
        const char *header = m_begin + (offset - length);
        if (std::memcmp(header, "PK\3\4", 4) == 0
            && fixed + littleEndian16(header + 26) + littleEndian16(header + 28) == length)
            return littleEndian16(header + 8) == 0;
    }
    return false;
}

}  // namespace sweepscope::train
