#include "node/filemirror.h"

#include "base/files.h"
#include "base/printable.h"
#include "base/workspacelayout.h"
#include "node/filefollower.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::node {

namespace {

/// Of the copy that replaces a file. No name that isFollowed() accepts ends like this.
constexpr const char *incomingEnd = ".incoming";
/// Of a path in the workspace: "sweeps/NAME/trials/0007/1/rank-0.log".
constexpr int depthInAttempt = 6;

Expected<void> writeAt(const std::filesystem::path &path, std::int64_t offset, std::string_view bytes, bool begins)
{
    const auto file = openRegularFile(path, O_WRONLY | O_CREAT | (begins ? O_TRUNC : 0));
    if (!file)
        return tl::unexpected(file.error());
    struct stat now {};
    if (::fstat(file->get(), &now) != 0)
        return makeErrnoError("cannot read " + path.string(), errno);
    if (now.st_size < offset)
        return makeError(ErrorCode::BadInput, "bytes of " + path.string() + " are missing");
    if (::lseek(file->get(), offset, SEEK_SET) < 0)
        return makeErrnoError("cannot write " + path.string(), errno);
    return writeAll(file->get(), bytes, path);
}

}  // namespace

std::map<std::string, Held> FileMirror::begin(const std::string &folder, bool thin)
{
    std::erase_if(m_incoming, [&](const auto &item) { return item.first.starts_with(folder + "/"); });
    std::map<std::string, Held> all;
    const auto range = rankRangeOf(folder);
    addHeld(all, folder, thin, [&](const std::string &name) { return !range || !rankOfFile(name); });
    if (range) {
        addHeld(all, std::filesystem::path(folder).parent_path(), thin, [&](const std::string &name) {
            const auto rank = rankOfFile(name);
            return rank && *rank >= range->first && *rank <= range->last;
        });
    }
    return all;
}

void FileMirror::addHeld(std::map<std::string, Held> &all, const std::filesystem::path &folder, bool thin,
                         const std::function<bool(const std::string &)> &belongs)
{
    std::error_code error;
    for (std::filesystem::directory_iterator entry(m_root / folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::string name = entry->path().filename().string();
        if (!belongs(name))
            continue;
        std::error_code ignored;
        if (name.ends_with(incomingEnd))
            std::filesystem::remove(entry->path(), ignored);
        struct stat now {};
        const auto file = isFollowed(name) ? openRegularFile(entry->path(), O_RDONLY) : Expected<FileDescriptor>();
        if (!file || !*file || ::fstat(file->get(), &now) != 0)
            continue;
        const auto copy = thinCopyOf(entry->path());
        Held &held = all[std::move(name)];
        if (!copy) {
            held = {now.st_size, tailOf(file->get(), now.st_size)};
        } else if (!thin || now.st_size < copy->bytes) {
            held.size = -1;
        } else {
            constexpr std::size_t digitsPerByte = 2;
            const auto appended = static_cast<std::size_t>(now.st_size - copy->bytes);
            std::string tail = tailOf(file->get(), now.st_size);
            tail.erase(0, tail.size() - std::min(tail.size(), digitsPerByte * appended));
            held = {copy->stands + now.st_size - copy->bytes, std::move(tail)};
            m_thin[entry->path()] = *copy;
        }
    }
}

/// "sweeps/NAME/trials/0007/1/rank-0.log", "sweeps/NAME/trials/0007/1/ranks-4-7/events.jsonl",
/// "hosts/localhost/devices.feed": nothing that leads elsewhere.
Expected<std::filesystem::path> FileMirror::pathOf(const std::string &untrusted) const
{
    const std::filesystem::path path(untrusted);
    int depth = 0;
    bool isRight = path.is_relative() && untrusted.find('\0') == std::string::npos;
    for (const std::filesystem::path &part : path) {
        isRight = isRight && !part.empty() && part.string().front() != '.';
        ++depth;
    }
    const std::string name = path.filename().string();
    const auto range = depth == depthInAttempt + 1 ? rankRangeOf(path.parent_path()) : std::nullopt;
    const auto rank = rankOfFile(name);
    const bool isOfRange = !range || !rank || (*rank >= range->first && *rank <= range->last);
    const bool isOfAttempt =
        isRight && (depth == depthInAttempt || range) && isOfRange && *path.begin() == "sweeps" && isFollowed(name);
    const bool isOfMachine = isRight && depth == 3 && *path.begin() == "hosts" && name == "devices.feed";
    if (!isOfAttempt && !isOfMachine)
        return makeError(ErrorCode::BadInput, "'" + printable(untrusted.substr(0, 200)) + "' may not be written");
    return m_root / (range && rank ? path.parent_path().parent_path() / name : path);
}

Expected<void> FileMirror::apply(const Chunk &chunk, std::string_view bytes)
{
    Expected<std::filesystem::path> path = pathOf(chunk.path);
    if (!path)
        return tl::unexpected(path.error());
    if (chunk.offset < 0 || chunk.size < 0 || chunk.thins < 0)
        return makeError(ErrorCode::BadInput, "bytes of " + path->string() + " have no valid place");
    if (chunk.replaces)
        m_incoming[chunk.path] = 0;
    const auto incoming = m_incoming.find(chunk.path);
    if (incoming == m_incoming.end()) {
        const auto thin = m_thin.find(*path);
        const std::int64_t shift = thin != m_thin.end() ? thin->second.stands - thin->second.bytes : 0;
        if (chunk.thins != 0 || chunk.offset < shift)
            return makeError(ErrorCode::BadInput, "bytes of " + path->string() + " were not requested");
        return writeAt(*path, chunk.offset - shift, bytes, false);
    }
    const std::filesystem::path copy = path->string() + incomingEnd;
    if (Expected<void> written = writeAt(copy, chunk.offset, bytes, chunk.replaces); !written)
        return written;
    if (chunk.offset + static_cast<std::int64_t>(bytes.size()) < chunk.size)
        return {};
    m_incoming.erase(incoming);
    return replace(chunk, *path);
}

/// If this is interrupted before the note is written, the copy does not match the feed, and the feed is sent again.
Expected<void> FileMirror::replace(const Chunk &chunk, const std::filesystem::path &path)
{
    const std::filesystem::path copy = path.string() + incomingEnd;
    std::error_code error;
    m_thin.erase(path);
    std::filesystem::remove(thinCopyNote(path), error);
    if (::rename(copy.c_str(), path.c_str()) != 0)
        return makeErrnoError("cannot write " + path.string(), errno);
    if (chunk.thins == 0)
        return {};
    m_thin[path] = {chunk.size, chunk.thins};
    return writeFileAtomically(thinCopyNote(path), toText(m_thin[path]), Survives::Kill);
}

Expected<void> FileMirror::apply(const Gone &gone)
{
    const Expected<std::filesystem::path> path = pathOf(gone.path);
    if (!path)
        return tl::unexpected(path.error());
    std::error_code error;
    std::filesystem::remove(*path, error);
    if (m_thin.erase(*path) > 0)
        std::filesystem::remove(thinCopyNote(*path), error);
    return {};
}

}  // namespace sweepscope::node
