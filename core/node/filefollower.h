#pragma once

#include "node/messages.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace sweepscope::node {

/// Returns whether a file of an attempt, or of a machine, is sent to the engine as it grows. Checkpoints and
/// artifacts are not, nor are files that can be rebuilt from others.
bool isFollowed(std::string_view name);

/// Returns the last bytes of a file as in Held.
std::string tailOf(int file, std::int64_t size);

/// Reads what is appended to the files of attempts, a chunk at a time. Starts again with a file that was replaced or
/// truncated, or whose bytes differ from the engine's copy.
class FileFollower {
public:
    explicit FileFollower(std::filesystem::path root) : m_root(std::move(root)) {}

    /// `thin`: of feeds of more than a MiB that the engine has nothing of, a thin copy is sent first.
    void follow(const std::string &folder, std::map<std::string, Held> held, bool thin = false);
    void unfollow(const std::string &folder);
    /// Files that are sent before others, after what decides about an attempt: events.jsonl and the feed of rank 0.
    void prefer(std::set<std::string> paths) { m_preferred = std::move(paths); }

    /// Looks at all followed files. Returns those that were removed.
    std::vector<Gone> scan();
    /// Returns the next chunk, of at most `limit` bytes; nullopt if all that scan() saw was read.
    std::optional<Parcel> next(std::size_t limit);
    /// Whether everything that scan() saw of events.jsonl and the feed of rank 0 was read.
    bool isDecisiveRead(const std::string &folder) const;
    /// Returns true once when everything that scan() saw was read, and again after more was.
    bool takeLevel(const std::string &folder);

private:
    struct File {
        dev_t device = 0;
        ino_t inode = 0;
        std::int64_t size = 0;
        std::int64_t sent = 0;
        bool replaces = false;  ///< the next chunk begins a new file
        std::string thin{};     ///< sent first, in place of `sent` bytes
        std::size_t thinSent = 0;

        bool isSent() const { return sent >= size && !replaces && thinSent == thin.size(); }
    };
    struct Folder {
        std::map<std::string, Held> held;
        std::map<std::string, File> files;
        bool isNews = true;  ///< something was read since takeLevel()
        bool thin = false;
        /// The size of rank 0's feed when events.jsonl was last seen to grow. So much of it is sent first: who reads that
        /// an attempt has ended has its last values.
        std::int64_t feedAtEvents = 0;

        bool hasFeedToSend() const;
    };
    static void scanFile(const std::filesystem::path &path, Folder &folder);
    static Parcel nextOfThin(const std::string &path, File &file, std::size_t limit);
    int rankOf(const std::string &path, const std::string &name) const;

    std::filesystem::path m_root;
    std::map<std::string, Folder> m_folders;
    std::set<std::string> m_preferred;
    std::string m_last;  ///< the file of the last chunk: equals take turns
};

}  // namespace sweepscope::node
