#pragma once

#include "base/thincopy.h"
#include "node/messages.h"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace sweepscope::node {

/// Copies files of another machine into a folder with the same layout, as Chunk and Gone say. What comes is untrusted: it
/// can only change files of attempts that isFollowed() names, below `root`. Files of ranks in a folder of some of an
/// attempt's ranks (AttemptLayout::ofRanks) come into the folder of the attempt. A thin copy of a feed takes the place of the
/// feed (base/thincopy.h), and what is appended to the feed follows it.
class FileMirror {
public:
    explicit FileMirror(std::filesystem::path root) : m_root(std::move(root)) {}

    /// Returns the local state of an attempt's files, for Follow. Removes files that an earlier connection left
    /// incomplete. `thin`: thinned copies suffice.
    std::map<std::string, Held> begin(const std::string &folder, bool thin = false);

    /// Adds the bytes. A file that replaces another one appears once all of it is here. BadInput: such a file may not be
    /// written, or the bytes leave a gap.
    Expected<void> apply(const Chunk &chunk, std::string_view bytes);
    Expected<void> apply(const Gone &gone);

private:
    void addHeld(std::map<std::string, Held> &all, const std::filesystem::path &folder, bool thin,
                 const std::function<bool(const std::string &)> &belongs);
    Expected<void> replace(const Chunk &chunk, const std::filesystem::path &path);
    Expected<std::filesystem::path> pathOf(const std::string &untrusted) const;

    std::filesystem::path m_root;
    std::map<std::string, std::int64_t> m_incoming;    ///< files that replace others, and their sizes so far
    std::map<std::filesystem::path, ThinCopy> m_thin;  ///< of the folders that were begun
};

}  // namespace sweepscope::node
