#include "base/filedescriptor.h"
#include "feed/feedreader.h"
#include "feed/format.h"
#include "feed/ring.h"
#include "feed/ringrecovery.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

/// For any bytes in a log and in a ring, a reader returns records or an error; it never crashes, never reads past an
/// end and never loops forever. An input is
///
///     byte 0      modulo 3, what there is: 0 only a log, 1 a log and a ring, 2 only a ring; below 0xf8, the ring says
///                 that little was written, since reading all of it takes a hundred times as long
///     byte 1      how many bytes of the rest, in units of 8, go to the log
///     for a ring  the first 144 bytes of its header, then data, four times
namespace {

using namespace sweepscope;

constexpr std::size_t headerFields = 144;

/// Memory with a path: nothing touches the disk.
class MemoryFile {
public:
    explicit MemoryFile(const char *name) : m_file(::memfd_create(name, MFD_CLOEXEC))
    {
        if (!m_file)
            std::abort();
    }
    void write(const void *bytes, std::size_t count, std::size_t at)
    {
        if (::pwrite(m_file.get(), bytes, count, static_cast<off_t>(at)) != static_cast<ssize_t>(count))
            std::abort();
    }
    void resize(std::size_t bytes)
    {
        if (::ftruncate(m_file.get(), static_cast<off_t>(bytes)) != 0)
            std::abort();
    }
    std::string path() const { return "/proc/self/fd/" + std::to_string(m_file.get()); }

private:
    FileDescriptor m_file;
};

/// Records must be inside the stream in order, and strings within their limits.
class Checker final : public feed::RecordVisitor {
public:
    void preamble(const feed::Preamble &value) override { require(value.attemptId.size() < feed::maxPreambleBytes); }
    void series(const feed::SeriesDeclaration &value) override
    {
        require(value.name.size() + value.unit.size() < feed::maxRecordBytes);
    }
    void event(const feed::Event &value) override { require(value.text.size() < feed::maxRecordBytes); }

private:
    static void require(bool good)
    {
        if (!good)
            std::abort();
    }
};

void writeRing(MemoryFile &file, std::span<const std::uint8_t> input, std::uint64_t mostCommitted)
{
    constexpr std::size_t dataBytes = feed::minRingBytes;
    static std::array<unsigned char, sizeof(feed::RingHeader) + dataBytes> image;
    image.fill(0);
    const std::size_t fields = std::min(input.size(), headerFields);
    std::copy_n(input.begin(), fields, image.begin());
    std::uint64_t committed = 0;
    unsigned char *const committedField = image.data() + offsetof(feed::RingHeader, committed);
    std::memcpy(&committed, committedField, sizeof committed);
    if (committed > mostCommitted)
        committed = mostCommitted - committed % feed::wordBytes;
    std::memcpy(committedField, &committed, sizeof committed);
    const auto data = input.subspan(fields);
    for (std::size_t at = 0; !data.empty() && at + data.size() <= dataBytes && at < 4 * data.size(); at += data.size())
        std::copy(data.begin(), data.end(), image.begin() + sizeof(feed::RingHeader) + at);
    file.write(image.data(), image.size(), 0);  // over the same pages: creating new ones would dominate the time
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *untrusted, std::size_t size)
{
    if (size < 2)
        return 0;
    static MemoryFile log("log");
    static MemoryFile ring("ring");
    const unsigned parts = untrusted[0] % 3U;
    std::span<const std::uint8_t> rest(untrusted + 2, size - 2);
    const std::size_t logBytes = parts == 0   ? rest.size()
                                 : parts == 2 ? 0
                                              : std::min<std::size_t>(rest.size(), std::size_t{untrusted[1]} * 8);

    log.write(rest.data(), logBytes, 0);
    log.resize(logBytes);
    if (parts != 0)
        writeRing(ring, rest.subspan(logBytes),
                  untrusted[0] < 0xf8 ? logBytes / feed::wordBytes * feed::wordBytes + 4096 : ~0ULL);

    feed::FeedReader reader(parts == 2 ? std::string() : log.path(), parts == 0 ? std::string() : ring.path());
    Checker checker;
    std::uint64_t before = 0;
    for (int polls = 0;; ++polls) {
        const auto records = reader.poll(checker, feed::maxRecordBytes);
        if (!records && records.error().message.empty())
            std::abort();
        if (reader.offset() < before || polls > 100)
            std::abort();
        if (!records || reader.offset() == before)
            break;
        before = reader.offset();
    }

    if (parts == 1) {
        // Recovering the same bytes leaves a log that a reader can read, or returns an error.
        (void)feed::recoverRing(ring.path(), log.path());
    }
    return 0;
}
