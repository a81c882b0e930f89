#include "train/data/mappedtensor.h"

#include "base/filedescriptor.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <torch/torch.h>
#include <unistd.h>

namespace sweepscope::train {

namespace {

/// Exit code 2 is that of invalid input. Calls only what a signal handler may call.
void endAfterBusError(int)
{
    constexpr char sentence[] = "error: a data file was truncated while it was mapped (in_memory = false)\n";
    const auto written = ::write(STDERR_FILENO, sentence, sizeof sentence - 1);
    ::_exit(written > 0 ? 2 : 3);
}

/// Reading a part of a mapped file that is not there any more is a SIGBUS.
void explainBusErrors()
{
    struct sigaction action {};
    action.sa_handler = endAfterBusError;
    ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace

Expected<torch::Tensor> mapTensor(const TensorRows &tensor)
{
    const std::string path = tensor.rows.path.string();
    if (tensor.rows.start % c10::elementSize(tensor.type) != 0)
        return makeError(ErrorCode::BadInput,
                         path + ": its values are not aligned; save it again, or set in_memory = true");
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (!file || fstat(file.get(), &status) != 0)
        return makeErrnoError("cannot read " + path, errno);
    const auto size = static_cast<std::uint64_t>(status.st_size);
    const std::uint64_t needed = tensor.rows.start + tensor.rows.bytes * static_cast<std::uint64_t>(tensor.rows.count);
    if (size < needed)
        return makeError(ErrorCode::BadInput, path + " ends before the last of its values");
    void *mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (mapped == MAP_FAILED)
        return makeErrnoError("cannot map " + path, errno);
    explainBusErrors();
    return torch::from_blob(
        static_cast<char *>(mapped) + tensor.rows.start, tensor.shape, [mapped, size](void *) { munmap(mapped, size); },
        tensor.type);
}

}  // namespace sweepscope::train
