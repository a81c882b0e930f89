#include "node/filefollower.h"

#include "base/files.h"
#include "feed/logfile.h"
#include "series/thinning.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace sweepscope::node {

namespace {

constexpr std::int64_t tailBytes = 64;
constexpr std::string_view eventsFile = "events.jsonl";
constexpr std::string_view feedOfRank0 = "rank-0.feed";

bool isDecisive(std::string_view name)
{
    return name == eventsFile || name == feedOfRank0;
}

std::string readAt(int file, std::int64_t offset, std::size_t length)
{
    std::string bytes(length, '\0');
    const ssize_t count = ::pread(file, bytes.data(), length, offset);
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return bytes;
}

std::string hexadecimal(std::string_view bytes)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const char byte : bytes) {
        text += digits[static_cast<unsigned char>(byte) >> 4U];
        text += digits[static_cast<unsigned char>(byte) & 15U];
    }
    return text;
}

}  // namespace

bool isFollowed(std::string_view name)
{
    const bool isOfRank = name.starts_with("rank-");
    return name == "devices.feed" || name == "events.jsonl" || name == "launch.json" || name == "agent.log"
           || name == "host.feed" || name == "environment.json" || name == "preflight.json" || name == "slurm-job"
           || (isOfRank
               && (name.ends_with(".log") || name.ends_with(".times") || name.ends_with(".feed")
                   || name.ends_with(".media") || name.ends_with(".media.jsonl")))
           || (name.starts_with("trace-rank-") && name.ends_with(".json"));
}

std::string tailOf(int file, std::int64_t size)
{
    const std::int64_t length = std::min(size, tailBytes);
    return hexadecimal(readAt(file, size - length, static_cast<std::size_t>(length)));
}

namespace {

/// The thin copy has a few points for each pixel of a wide plot.
constexpr int thinGroups = 1024;
constexpr std::int64_t longFeed = std::int64_t{1} << 20U;

/// Nothing if it has to be sent as it is.
series::ThinLog thinCopy(const std::filesystem::path &feed, std::int64_t size)
{
    if (size < longFeed || feed.extension() != ".feed")
        return {};
    std::filesystem::path index = feed;
    auto thin = series::thinLog(feed, index.replace_extension(".index"), thinGroups);
    const bool isWorthIt = thin && static_cast<std::int64_t>(thin->bytes.size()) < size / 2;
    return isWorthIt ? std::move(*thin) : series::ThinLog();
}

bool isPacked(const std::filesystem::path &feed)
{
    const auto log = feed::LogFile::open(feed);
    return log && log->packed();
}

}  // namespace

void FileFollower::follow(const std::string &folder, std::map<std::string, Held> held, bool thin)
{
    m_folders[folder] = Folder{std::move(held), {}, true, thin};
}

void FileFollower::unfollow(const std::string &folder)
{
    m_folders.erase(folder);
}

std::vector<Gone> FileFollower::scan()
{
    std::vector<Gone> gone;
    for (auto &item : m_folders) {
        const std::string &path = item.first;
        Folder &folder = item.second;
        std::set<std::string> seen;
        std::error_code error;
        for (std::filesystem::directory_iterator entry(m_root / path, error), end; !error && entry != end;
             entry.increment(error)) {
            std::string name = entry->path().filename().string();
            if (isFollowed(name))
                seen.insert(std::move(name));
        }
        const auto sizeOf = [&folder](std::string_view name) {
            const auto file = folder.files.find(std::string(name));
            return file != folder.files.end() ? file->second.size : 0;
        };
        const std::int64_t before = sizeOf(eventsFile);
        for (const std::string &name : seen)  // events.jsonl before the feed
            scanFile(m_root / path / name, folder);
        if (sizeOf(eventsFile) != before)
            folder.feedAtEvents = sizeOf(feedOfRank0);
        std::erase_if(folder.files, [&](const auto &file) {
            if (seen.contains(file.first))
                return false;
            gone.push_back({path + "/" + file.first});
            return true;
        });
    }
    return gone;
}

void FileFollower::scanFile(const std::filesystem::path &path, Folder &folder)
{
    const std::string name = path.filename().string();
    struct stat now {};
    if (::lstat(path.c_str(), &now) != 0 || !S_ISREG(now.st_mode))
        return;
    const auto known = folder.files.find(name);
    const bool isSame =
        known != folder.files.end() && known->second.device == now.st_dev && known->second.inode == now.st_ino;
    if (isSame && now.st_size >= known->second.size) {
        known->second.size = now.st_size;
        return;
    }
    File file{now.st_dev, now.st_ino, now.st_size};
    const auto held = folder.held.find(name);
    if (known != folder.files.end()) {
        file.replaces = true;
    } else if (held != folder.held.end()) {
        const Held &theirs = held->second;
        const auto opened = openRegularFile(path, O_RDONLY);
        // Of a thin copy, less than the usual tail may be known.
        const bool isBegun = opened && theirs.size >= 0 && theirs.size <= file.size
                             && tailOf(opened->get(), theirs.size).ends_with(theirs.tail);
        file.sent = isBegun ? theirs.size : 0;
        file.replaces = !isBegun;
    }
    if (folder.thin && file.sent == 0) {
        series::ThinLog thin = thinCopy(path, file.size);
        file.sent = isPacked(path) ? file.size : static_cast<std::int64_t>(thin.end);
        file.thin = std::move(thin.bytes);
        file.sent = file.thin.empty() ? 0 : std::min(file.sent, file.size);
        file.replaces = file.replaces && file.thin.empty();
    }
    folder.held.erase(name);
    folder.files[name] = file;
}

int FileFollower::rankOf(const std::string &path, const std::string &name) const
{
    // The feed of devices may be large, and its past is seldom needed.
    return isDecisive(name) ? 0 : m_preferred.contains(path) ? 1 : name != "devices.feed" ? 2 : 3;
}

bool FileFollower::Folder::hasFeedToSend() const
{
    const auto feed = files.find(std::string(feedOfRank0));
    return feed != files.end() && !feed->second.isSent() && feed->second.sent < feedAtEvents;
}

std::optional<Parcel> FileFollower::next(std::size_t limit)
{
    // First by rank; files of equal rank take turns.
    using Order = std::tuple<int, bool, std::string>;
    std::optional<Order> first;
    File *chosen = nullptr;
    Folder *chosenFolder = nullptr;
    for (auto &[folderPath, folder] : m_folders) {
        for (auto &[name, file] : folder.files) {
            if (file.isSent() || (name == eventsFile && folder.hasFeedToSend()))
                continue;
            std::string path = folderPath + "/" + name;
            const int rank = rankOf(path, name);
            Order order(rank, path <= m_last, std::move(path));
            if (!first || order < *first) {
                first = std::move(order);
                chosen = &file;
                chosenFolder = &folder;
            }
        }
    }
    if (chosen == nullptr)
        return std::nullopt;
    m_last = std::get<std::string>(*first);
    chosenFolder->isNews = true;
    if (chosen->thinSent < chosen->thin.size())
        return nextOfThin(m_last, *chosen, limit);
    const auto length = std::min(limit, static_cast<std::size_t>(chosen->size - chosen->sent));
    const auto file = openRegularFile(m_root / m_last, O_RDONLY);
    struct stat now {};
    const bool isSame = file && ::fstat(file->get(), &now) == 0 && now.st_ino == chosen->inode;
    std::string bytes = isSame ? readAt(file->get(), chosen->sent, length) : std::string();
    Chunk chunk{m_last, chosen->sent, chosen->size, chosen->replaces};
    if (bytes.size() < length)  // truncated or replaced meanwhile: the next scan sees it
        chosen->size = chosen->sent + static_cast<std::int64_t>(bytes.size());
    chosen->replaces = false;
    chosen->sent += static_cast<std::int64_t>(bytes.size());
    return Parcel{std::move(chunk), std::move(bytes)};
}

Parcel FileFollower::nextOfThin(const std::string &path, File &file, std::size_t limit)
{
    Parcel parcel;
    parcel.message = Chunk{path, static_cast<std::int64_t>(file.thinSent), static_cast<std::int64_t>(file.thin.size()),
                           file.thinSent == 0, file.sent};
    parcel.payload = file.thin.substr(file.thinSent, limit);
    file.thinSent += parcel.payload.size();
    if (file.thinSent == file.thin.size()) {
        file.thin = {};
        file.thinSent = 0;
    }
    return parcel;
}

bool FileFollower::takeLevel(const std::string &path)
{
    const auto found = m_folders.find(path);
    if (found == m_folders.end() || !found->second.isNews)
        return false;
    const bool isLevel =
        std::ranges::all_of(found->second.files, [](const auto &item) { return item.second.isSent(); });
    found->second.isNews = !isLevel;
    return isLevel;
}

bool FileFollower::isDecisiveRead(const std::string &path) const
{
    const auto folder = m_folders.find(path);
    return folder == m_folders.end() || std::ranges::all_of(folder->second.files, [](const auto &item) {
               return !isDecisive(item.first) || (item.second.sent >= item.second.size && item.second.thin.empty());
           });
}

}  // namespace sweepscope::node
