#include "engine/sweepinserter.h"

#include "base/files.h"
#include "base/folderentries.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace sweepscope::engine {

namespace {

constexpr std::size_t rowsInPart = 4000;  // 40 ms

}  // namespace

std::int64_t highestSweepNumber(const WorkspaceLayout &workspace)
{
    std::int64_t highest = 0;
    for (const auto &entry : entriesOf(workspace.root / "sweeps")) {
        const std::string name = entry.path().filename().string();
        const std::size_t begin = std::min(name.find_first_of("0123456789"), name.size());
        std::int64_t number = 0;
        const auto [end, problem] = std::from_chars(name.data() + begin, name.data() + name.size(), number);
        constexpr std::int64_t most = 1'000'000'000;  // no sweep has a larger number
        if (problem == std::errc() && end != name.data() + name.size() && *end == '-' && number < most)
            highest = std::max(highest, number);
    }
    return highest;
}

Expected<void> createSweepFolder(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                 const std::vector<search::ResultsFile> &warmStart)
{
    const std::filesystem::path folder = workspace.sweepFolder(sweep.folder);
    std::error_code error;
    std::filesystem::create_directory(folder.parent_path(), error);
    // One that is there holds another sweep's results.
    if (::mkdir(folder.c_str(), 0777) != 0)
        return makeErrnoError("cannot create the folder " + folder.string(), errno);
    for (std::size_t i = 0; i < warmStart.size(); ++i) {
        if (Expected<void> copied = writeFileAtomically(workspace.warmStartFile(sweep.folder, i + 1), warmStart[i].csv);
            !copied)
            return copied;
    }
    return writeFileAtomically(folder / "sweep.toml", sweep.toml);
}

Expected<void> moveFiles(const std::filesystem::path &from, const std::filesystem::path &to)
{
    std::error_code error;
    std::vector<std::filesystem::path> files;
    for (std::filesystem::directory_iterator entry(from, error), end; !error && entry != end; entry.increment(error))
        files.push_back(entry->path());
    for (const std::filesystem::path &file : files) {
        if (!error)
            std::filesystem::rename(file, to / file.filename(), error);
    }
    if (error)
        return makeErrnoError("cannot move the files in " + from.string(), error.value());
    return {};
}

SweepInserter::SweepInserter(Store &store, WorkspaceLayout workspace)
    : m_store(store), m_workspace(std::move(workspace))
{
    m_next.setSingleShot(true);
    m_next.setInterval(0);
    m_next.callOnTimeout(&m_next, [this] { writePart(); });
}

void SweepInserter::add(NewSweep sweep, Done done)
{
    m_sweeps.push_back({std::move(sweep), std::move(done)});
    if (m_sweeps.size() == 1)
        writePart();
}

void SweepInserter::writePart()
{
    const auto saveFile = [this](const sweep::SweepRecord &made) -> Expected<void> {
        const NewSweep &saved = m_sweeps.front().sweep;
        const Expected<void> done = createSweepFolder(m_workspace, made, saved.warmStart);
        return done && saved.addFiles ? saved.addFiles(made) : done;
    };
    NewSweep &sweep = m_sweeps.front().sweep;
    const std::int64_t above = sweep.record.id == 0 ? highestSweepNumber(m_workspace) : 0;
    const Expected<bool> isWhole = m_store.insertPart(sweep, rowsInPart, saveFile, above);
    if (isWhole && !*isWhole) {
        m_next.start();
        return;
    }
    Insertion ended = std::move(m_sweeps.front());
    m_sweeps.pop_front();
    if (!m_sweeps.empty())
        m_next.start();
    if (isWhole)
        return ended.done(std::move(ended.sweep));
    // If this fails too, the next engine removes them.
    (void)m_store.removeUnfinished();
    ended.done(tl::unexpected<Error>(isWhole.error()));
}

}  // namespace sweepscope::engine
