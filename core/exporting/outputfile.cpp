#include "exporting/outputfile.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <optional>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sweepscope::exporting {

/// Collects bytes and writes them in large pieces; keeps the first error, which a stream's flags cannot tell.
class OutputFile::Buffer final : public std::streambuf {
public:
    Buffer(int fd, std::filesystem::path path) : m_fd(fd), m_path(std::move(path))
    {
        setp(m_bytes.data(), m_bytes.data() + m_bytes.size());
    }

    const std::optional<Error> &error() const { return m_error; }

protected:
    int_type overflow(int_type character) override
    {
        if (sync() != 0)
            return traits_type::eof();
        if (!traits_type::eq_int_type(character, traits_type::eof())) {
            *pptr() = traits_type::to_char_type(character);
            pbump(1);
        }
        return traits_type::not_eof(character);
    }

    int sync() override
    {
        const std::string_view pending(pbase(), static_cast<std::size_t>(pptr() - pbase()));
        setp(m_bytes.data(), m_bytes.data() + m_bytes.size());
        if (m_error)
            return -1;
        if (const auto written = writeAll(m_fd, pending, m_path); !written) {
            m_error = written.error();
            return -1;
        }
        return 0;
    }

private:
    int m_fd;
    std::filesystem::path m_path;
    std::optional<Error> m_error;
    std::array<char, 256 * 1024> m_bytes{};
};

struct OutputFile::State {
    State(int descriptor, std::filesystem::path target, std::filesystem::path temporaryName)
        : fd(descriptor),
          file(std::move(target)),
          temporary(std::move(temporaryName)),
          buffer(descriptor, file),
          stream(&buffer)
    {}

    FileDescriptor fd;
    std::filesystem::path file;
    std::filesystem::path temporary;  ///< empty: the file itself is written, or it is committed
    Buffer buffer;
    std::ostream stream;
};

namespace {

tl::unexpected<Error> cannotWrite(const std::filesystem::path &file, int errnoValue)
{
    std::error_code ignored;
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
    if (errnoValue == ENOENT && !std::filesystem::is_directory(folder, ignored))
        return makeError(ErrorCode::NotFound, "cannot write " + file.string() + ": there is no folder "
                                                  + folder.string() + "; create it, or choose another path");
    if (errnoValue == EACCES || errnoValue == EPERM || errnoValue == EROFS)
        return makeError(ErrorCode::NotPermitted, "cannot write " + file.string() + ": the folder " + folder.string()
                                                      + " is not writable; choose another path");
    return makeErrnoError("cannot write " + file.string(), errnoValue);
}

std::filesystem::path temporaryName(const std::filesystem::path &file)
{
    static std::atomic<unsigned> counter{0};
    // relaxed: only that no two get the same number matters
    const unsigned number = counter.fetch_add(1, std::memory_order_relaxed);
    return file.string() + ".part." + std::to_string(::getpid()) + "." + std::to_string(number);
}

}  // namespace

OutputFile::OutputFile(std::unique_ptr<State> state) : m_state(std::move(state)) {}
OutputFile::OutputFile(OutputFile &&) noexcept = default;

OutputFile::~OutputFile()
{
    if (m_state && !m_state->temporary.empty())
        ::unlink(m_state->temporary.c_str());
}

Expected<OutputFile> OutputFile::create(const std::filesystem::path &file)
{
    if (file == "-") {
        const int fd = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (fd < 0)
            return cannotWrite("standard output", errno);
        return OutputFile(std::make_unique<State>(fd, "standard output", std::filesystem::path()));
    }
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (std::filesystem::is_directory(status))
        return makeError(ErrorCode::BadInput, "cannot write " + file.string() + ": it is a folder; name a file in it");
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        const int fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
        if (fd < 0)
            return cannotWrite(file, errno);
        return OutputFile(std::make_unique<State>(fd, file, std::filesystem::path()));
    }
    // Through a symbolic link the file is replaced, not the link.
    std::filesystem::path target = file;
    if (std::filesystem::exists(status)) {
        target = std::filesystem::canonical(file, error);
        if (error)
            target = file;
    }
    const std::filesystem::path temporary = temporaryName(target);
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return cannotWrite(file, errno);
    return OutputFile(std::make_unique<State>(fd, target, temporary));
}

std::ostream &OutputFile::stream()
{
    return m_state->stream;
}

Expected<void> OutputFile::commit(Survives survives)
{
    m_state->stream.flush();
    if (m_state->buffer.error())
        return tl::unexpected(*m_state->buffer.error());
    if (m_state->temporary.empty())
        return {};
    if (survives == Survives::PowerLoss && ::fsync(m_state->fd.get()) != 0)
        return cannotWrite(m_state->file, errno);
    if (std::rename(m_state->temporary.c_str(), m_state->file.c_str()) != 0)
        return cannotWrite(m_state->file, errno);
    m_state->temporary.clear();
    return {};
}

Expected<void> syncFiles(const std::filesystem::path &folder)
{
    const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened || ::syncfs(opened.get()) != 0)
        return makeErrnoError("cannot flush " + folder.string() + " to disk", errno);
    return {};
}

Expected<void> completed(const std::filesystem::path &target, const std::string &damage,
                         const std::function<bool(double)> &progress)
{
    if (progress)
        progress(1.0);
    if (!damage.empty())
        return makeError(ErrorCode::Corrupt,
                         (target == "-" ? "the output" : target.string())
                             + " was written, but not every feed could be read to its end: " + damage);
    return {};
}

Expected<void> finish(OutputFile &output, const std::filesystem::path &file, const std::string &damage,
                      const std::function<bool(double)> &progress)
{
    if (auto committed = output.commit(); !committed)
        return committed;
    return completed(file, damage, progress);
}

}  // namespace sweepscope::exporting
