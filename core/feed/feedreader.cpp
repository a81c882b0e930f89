// SPDX-License-Identifier: MIT
#include "feed/feedreader.h"

#include "feed/logfile.h"
#include "feed/logidentity.h"
#include "feed/recordparser.h"
#include "feed/ringmapping.h"
#include "feed/ringreading.h"

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sweepscope::feed {

namespace {

/// Read at once. Not less than the longest record, so that a whole one is always seen.
constexpr std::uint64_t chunkBytes = 256 * 1024;
static_assert(chunkBytes >= maxRecordBytes);

/// How often one poll meets the drain overtaking it before it leaves the rest to the next poll.
constexpr int maxOvertakings = 16;

}  // namespace

struct FeedReader::State {
    State(std::filesystem::path logFile, std::filesystem::path ringFile)
        : logPath(std::move(logFile)), ringPath(std::move(ringFile))
    {}

    Expected<void> openLog();
    void attachRing();
    void lookAfterRing();
    bool isForeign(const RingMapping &candidate) const;
    Expected<std::uint64_t> logSize() const;

    /// Bytes of the stream from `from` on, at most `most`, into `bytes`.
    Expected<RingCopy> fetch(std::uint64_t from, std::uint64_t most);
    Expected<void> fetchFromLog(std::uint64_t from, std::uint64_t to);

    /// Where bytes are missing that will never come, if that is at `offset` or before.
    std::optional<LogFile::Hole> holeAt(std::uint64_t offset) const;

    /// Looks for records after damaged ones. Returns whether there are any: the parser is then at the first one.
    Expected<bool> skip();
    void beginSkip(const Error &why, std::uint64_t from)
    {
        skipping = Skip{why, (from + wordBytes - 1) / wordBytes * wordBytes};
    }

    /// The ring is no good: hand out the log alone, then report this.
    void loseRing(Error error)
    {
        ringFailure = std::move(error);
        ring.reset();
    }
    tl::unexpected<Error> failForGood(ErrorCode code, const std::string &message)
    {
        failure = Error{code, message};
        return tl::unexpected(*failure);
    }

    std::filesystem::path logPath;
    std::filesystem::path ringPath;
    std::optional<LogFile> log;
    std::optional<RingMapping> ring;
    std::optional<Error> ringFailure;  ///< reported when the log has been handed out
    std::optional<Error> failure;
    struct Skip {
        Error why;
        std::uint64_t scanFrom;  ///< nothing before it is good
    };
    std::optional<Skip> skipping;
    std::optional<LogFile::Hole> cut;  ///< bytes cut off the log while the ring continues
    std::optional<Error> damage;
    std::uint64_t lostBytes = 0;
    RecordParser parser;
    std::vector<unsigned char> bytes;
};

FeedReader::FeedReader(std::filesystem::path logPath, std::filesystem::path ringPath)
    : m_state(std::make_unique<State>(std::move(logPath), std::move(ringPath)))
{}
FeedReader::FeedReader(FeedReader &&) noexcept = default;
FeedReader &FeedReader::operator=(FeedReader &&) noexcept = default;
FeedReader::~FeedReader() = default;

std::uint64_t FeedReader::offset() const noexcept
{
    return m_state->parser.offset();
}

const std::optional<Error> &FeedReader::damage() const noexcept
{
    return m_state->damage;
}

bool FeedReader::isReplaced() const
{
    std::error_code error;
    return m_state->log && !m_state->log->isNamed(m_state->logPath) && std::filesystem::exists(m_state->logPath, error);
}

bool FeedReader::followReplacement()
{
    State &s = *m_state;
    if (s.ring || s.failure || !s.log || s.log->isNamed(s.logPath))
        return false;
    auto other = LogFile::open(s.logPath);
    const auto size = other ? other->size() : Expected<std::uint64_t>(0);
    if (!other || !size)
        return false;
    if (*size != s.parser.offset())
        return true;
    s.log.emplace(std::move(*other));
    return false;
}

std::uint64_t FeedReader::lostBytes() const noexcept
{
    return m_state->lostBytes;
}

StreamPosition FeedReader::position() const
{
    return {m_state->parser.offset(), m_state->parser.stepBase(), {}};
}

void FeedReader::startAt(const StreamPosition &position)
{
    m_state->parser.startAt(position);
}

Expected<std::uint64_t> FeedReader::poll(RecordVisitor &visitor, std::uint64_t maxBytes)
{
    State &s = *m_state;
    if (s.failure)
        return tl::unexpected(*s.failure);
    // The ring first: if it is gone by now, all that it had is in the log that is looked at after it.
    s.attachRing();
    if (auto opened = s.openLog(); !opened)
        return tl::unexpected(opened.error());
    s.lookAfterRing();

    std::uint64_t budget = std::max<std::uint64_t>(maxBytes, maxRecordBytes);
    std::uint64_t records = 0;
    int overtakings = 0;
    while (budget > 0) {
        if (s.skipping) {
            const auto found = s.skip();
            if (!found)
                return tl::unexpected(found.error());
            if (!*found)
                return tl::unexpected(s.skipping->why);
            ++records;
        }
        const auto fetched = s.fetch(s.parser.offset(), std::min(budget, chunkBytes));
        if (!fetched)
            return tl::unexpected(fetched.error());
        const std::uint64_t before = s.parser.offset();
        const auto parsed = s.parser.parse(s.bytes, visitor);
        const std::uint64_t consumed = s.parser.offset() - before;
        budget -= std::min(budget, consumed);
        if (!parsed) {
            const Error error{parsed.error().code, s.logPath.string() + ": " + parsed.error().message};
            if (error.code != ErrorCode::Corrupt)
                return s.failForGood(error.code, error.message);
            s.beginSkip(error, s.parser.offset() + wordBytes);
            records += consumed > 0 ? 1 : 0;  // those before it: more than none
            continue;
        }
        records += *parsed;
        if (*fetched == RingCopy::Overtaken && ++overtakings < maxOvertakings)
            continue;
        if (consumed > 0)
            continue;
        const auto hole = s.holeAt(s.parser.offset() + s.bytes.size());
        if (!hole)
            break;
        s.beginSkip({hole->why.code, s.logPath.string() + ": " + hole->why.message}, hole->end);
    }
    s.bytes = {};  // a window has hundreds of readers, and most of them are idle
    if (budget > 0 && s.log && s.log->damage())
        return s.failForGood(s.log->damage()->code, s.log->damage()->message);
    if (budget > 0 && s.ringFailure)
        return s.failForGood(s.ringFailure->code, s.ringFailure->message);
    return records;
}

Expected<void> FeedReader::State::openLog()
{
    if (log)
        return {};
    auto file = LogFile::open(logPath);
    if (file)
        log.emplace(std::move(*file));
    else if (file.error().code != ErrorCode::NotFound)
        return tl::unexpected(file.error());
    return {};
}

void FeedReader::State::attachRing()
{
    if (ring || ringFailure || ringPath.empty())
        return;
    auto candidate = RingMapping::open(ringPath, RingMapping::Access::Read);
    if (candidate) {
        if (!isForeign(*candidate))
            ring.emplace(std::move(*candidate));
    } else if (candidate.error().code == ErrorCode::Corrupt || candidate.error().code == ErrorCode::Unsupported) {
        loseRing(candidate.error());
    }
    // Otherwise it is not there: not yet, or not any more.
}

/// A link may point to the ring of another attempt that took the name. Its bytes must not join this log.
bool FeedReader::State::isForeign(const RingMapping &candidate) const
{
    const bool nothingDrained = drainedOf(candidate) == 0;
    auto file = LogFile::open(logPath);
    const auto identity = file ? streamIdOfLog(*file) : std::nullopt;
    return identity ? *identity != candidate.streamId() : !nothingDrained;
}

/// Releases a ring that its agent has finished with or that was damaged.
void FeedReader::State::lookAfterRing()
{
    if (!ring)
        return;
    bool unlinked = false;
    if (auto whole = ring->checkFile(unlinked); !whole) {
        loseRing({whole.error().code, whole.error().message + " (" + ringPath.string() + ")"});
        return;
    }
    if (unlinked && drainedOf(*ring) == committedOf(*ring))
        ring.reset();
}

Expected<std::uint64_t> FeedReader::State::logSize() const
{
    return log ? log->size() : 0;
}

Expected<bool> FeedReader::State::skip()
{
    for (int overtakings = 0;;) {
        const auto fetched = fetch(skipping->scanFrom, chunkBytes);
        if (!fetched)
            return tl::unexpected(fetched.error());
        if (*fetched == RingCopy::Overtaken && ++overtakings < maxOvertakings)
            continue;
        const auto hole = holeAt(skipping->scanFrom + bytes.size());
        if (bytes.empty() && hole) {
            beginSkip(Error(skipping->why), hole->end);
            continue;
        }
        const bool isEnd = bytes.size() < chunkBytes;
        if (const auto found = parser.findRecords(bytes, skipping->scanFrom, isEnd)) {
            lostBytes += *found - parser.offset();
            if (!damage)
                damage = Error{skipping->why.code,
                               skipping->why.message + "; reading continued at offset " + std::to_string(*found)};
            parser.skipTo(*found);
            skipping.reset();
            return true;
        }
        if (isEnd && hole) {
            beginSkip(Error(skipping->why), hole->end);
            continue;
        }
        if (isEnd)
            return false;
        skipping->scanFrom += chunkBytes - 3 * std::uint64_t{maxRecordBytes};
    }
}

Expected<RingCopy> FeedReader::State::fetch(std::uint64_t from, std::uint64_t most)
{
    bytes.clear();
    cut.reset();
    // Acquire: the agent stored it after its write() had returned, so the bytes below it are in the file.
    const std::uint64_t drained = ring ? drainedOf(*ring) : 0;
    const auto size = logSize();
    if (!size)
        return tl::unexpected(size.error());
    if (ring && *size < drained && !isPossible(*ring, drained)) {
        loseRing({ErrorCode::Corrupt, ringPath.string() + ": the ring is damaged: it says that "
                                          + std::to_string(drained) + " bytes were saved in " + logPath.string()
                                          + ", which has " + std::to_string(*size)});
    } else if (ring && *size < drained) {
        cut = LogFile::Hole{*size,
                            drained,
                            {ErrorCode::Corrupt, "it was truncated: it has " + std::to_string(*size)
                                                     + " bytes, but its ring says that " + std::to_string(drained)
                                                     + " were saved there"}};
    } else if (!ring && !ringFailure && *size < from) {
        return failForGood(ErrorCode::Corrupt, logPath.string() + " was truncated: it has " + std::to_string(*size)
                                                   + " bytes, but " + std::to_string(from) + " were read before");
    }
    const std::uint64_t inLog = ring ? drained : *size;
    if (from < std::min(inLog, *size)) {
        if (auto read = fetchFromLog(from, std::min({inLog, *size, from + most})); !read)
            return tl::unexpected(read.error());
    }
    const std::uint64_t reached = from + bytes.size();
    if (!ring || reached < inLog || bytes.size() == most)
        return RingCopy::Good;
    const auto copied = copyFromRing(*ring, reached, most - bytes.size(), bytes);
    if (!copied)
        loseRing({copied.error().code, ringPath.string() + ": " + copied.error().message});
    return copied.value_or(RingCopy::Overtaken);  // the log may have more than a damaged ring said
}

std::optional<LogFile::Hole> FeedReader::State::holeAt(std::uint64_t offset) const
{
    if (cut && cut->begin <= offset && offset < cut->end)
        return cut;
    const LogFile::Hole *const hole = log ? log->holeAfter(offset) : nullptr;
    return hole && hole->begin <= offset ? std::optional(*hole) : std::nullopt;
}

Expected<void> FeedReader::State::fetchFromLog(std::uint64_t from, std::uint64_t to)
{
    bytes.resize(to - from);
    const auto have = log->read(from, bytes);
    if (!have)
        return failForGood(have.error().code, logPath.string() + ": " + have.error().message);
    bytes.resize(*have);  // less if it was cut since: by a writer that continues after a partial record
    return {};
}

}  // namespace sweepscope::feed
