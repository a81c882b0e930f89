#pragma once

#include "base/error.h"
#include "snapshot/filelist.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

/// Snapshots of code, by content. The store is a bare git repository in the workspace (WorkspaceLayout::codeStore()), and a
/// snapshot is a tree in it: equal files have equal trees, wherever they are. The user's repository is only read, and
/// neither its configuration nor its attributes change what is stored: no hooks, no filters, no line ends.
///
/// All functions block and may be called by any threads and processes at a time; call them off the event loop. When
/// `cancelled` becomes true, they soon return Unavailable. Without git: Unavailable.
namespace sweepscope::snapshot {

/// What a snapshot would have.
struct Plan {
    std::filesystem::path root;   ///< of the files: the top of the git work tree, or the folder itself
    std::filesystem::path below;  ///< the folder that was asked for, relative to the root; empty: the root
    std::size_t files = 0;
    std::uint64_t bytes = 0;
};

struct Snapshot {
    std::string tree;  ///< the id of git, 40 hexadecimal digits
    Plan plan;
};

/// Lists the code in `folder` without storing it. `store` is not used, except that nothing in its workspace counts as code.
/// BadInput if the code is too large (checkLimits()) or git refuses the repository.
Expected<Plan> plan(const std::filesystem::path &store, const std::filesystem::path &folder,
                    const std::atomic<bool> &cancelled);

/// Stores the code in `folder`, and makes the store if there is none. A repeated call reads only the files that have
/// changed. The snapshot is kept as long as `owner`, a name of letters, digits, '-' and '_', such as the folder of a sweep:
/// see keepOnly(). Errors are those of plan(); NoSpace if the store is full (mostStored).
Expected<Snapshot> take(const std::filesystem::path &store, const std::filesystem::path &folder,
                        const std::string &owner, const std::atomic<bool> &cancelled);

/// On disk, compressed. Beyond it, trials probably write files next to their code.
constexpr std::uint64_t mostStored = std::uint64_t{4} << 30;

/// The following fail with NotFound if the store has no such snapshot. They only read, also as another user.

/// Returns the files of a snapshot.
Expected<std::vector<CodeFile>> filesOf(const std::filesystem::path &store, const std::string &tree,
                                        const std::atomic<bool> &cancelled);
/// Writes a tar archive to the open file or pipe.
Expected<void> archive(const std::filesystem::path &store, const std::string &tree, int file,
                       const std::atomic<bool> &cancelled);
/// Returns the differences of two snapshots as `git diff` prints them; empty if there are none. At most `limit` bytes, then
/// a line that says so.
Expected<std::string> difference(const std::filesystem::path &store, const std::string &before,
                                 const std::string &after, std::size_t limit, const std::atomic<bool> &cancelled);
/// What a snapshot changes in a commit of the user's repository.
struct CommitDifference {
    std::string files;  ///< as `git diff --name-status` prints them
    std::string text;   ///< see difference()
};
/// `folder`: in the repository that has the commit, which is only read. NotFound if it has no such commit any more. Each
/// of the two texts has at most `limit` bytes.
Expected<CommitDifference> differenceFromCommit(const std::filesystem::path &store, const std::filesystem::path &folder,
                                                const std::string &commit, const std::string &tree, std::size_t limit,
                                                const std::atomic<bool> &cancelled);
/// Writes the files to `folder`, which must be empty or not exist.
Expected<void> checkOut(const std::filesystem::path &store, const std::string &tree,
                        const std::filesystem::path &folder, const std::atomic<bool> &cancelled);

/// Removes the snapshots that have no owner for which `isKept`.
Expected<void> keepOnly(const std::filesystem::path &store, const std::function<bool(const std::string &owner)> &isKept,
                        const std::atomic<bool> &cancelled);

}  // namespace sweepscope::snapshot
