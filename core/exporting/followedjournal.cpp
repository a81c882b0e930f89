#include "exporting/followedjournal.h"

#include "base/files.h"
#include "exporting/optunastudy.h"

#include <cerrno>
#include <fcntl.h>
#include <set>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sweepscope::exporting {

namespace {

constexpr std::size_t longestLine = std::size_t{64} << 20;     // bytes
constexpr std::size_t mostLinesAtOnce = std::size_t{1} << 20;  // bytes

Error failedTo(const char *what, const std::filesystem::path &file)
{
    return Error{ErrorCode::Io, "cannot " + std::string(what) + " " + file.string() + ": "
                                    + std::error_code(errno, std::generic_category()).message()};
}

/// Whether the journal's trial has finished and the sweep's goes on, or went on meanwhile.
bool runsAgain(const JournalTrial &known, const sweep::TrialRecord &trial)
{
    const auto attempts = known.attributes.find("attempts");
    return isFinished(known.state)
           && (!sweep::isFinal(trial.state) || attempts == known.attributes.end() || *attempts != trial.attempts);
}

}  // namespace

Expected<FollowedJournal> FollowedJournal::open(const std::filesystem::path &file, const sweep::SweepRecord &sweep)
{
    auto descriptor = openRegularFile(file, O_RDWR | O_APPEND | O_CREAT, Links::Follow);
    if (!descriptor)
        return tl::unexpected(std::move(descriptor.error()));
    FollowedJournal journal(std::move(*descriptor), file);
    if (auto read = journal.readNew(); !read)
        return tl::unexpected(std::move(read.error()));
    const auto size = ::lseek(journal.m_descriptor.get(), 0, SEEK_END);
    if (journal.m_state.sweep() != sweep.folder && size != 0)
        return makeError(ErrorCode::BadInput, file.string() + " exists, and is not a journal of the sweep "
                                                  + sweep.folder + ": name another file");
    // A line that was cut off would spoil the one after it.
    if (size > static_cast<off_t>(journal.m_read)
        && ::ftruncate(journal.m_descriptor.get(), static_cast<off_t>(journal.m_read)) != 0)
        return tl::unexpected(failedTo("shorten", file));
    return journal;
}

/// Lines without an end are still being written.
Expected<void> FollowedJournal::readNew()
{
    std::string text;
    std::string part(mostLinesAtOnce, '\0');
    for (;;) {
        const auto offset = static_cast<off_t>(m_read + text.size());
        const ssize_t got = ::pread(m_descriptor.get(), part.data(), part.size(), offset);
        if (got < 0)
            return tl::unexpected(failedTo("read", m_file));
        if (got == 0)
            return {};
        text.append(part, 0, static_cast<std::size_t>(got));
        std::size_t begin = 0;
        for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
            m_state.apply(std::string_view(text).substr(begin, end - begin));
            begin = end + 1;
        }
        m_read += begin;
        text.erase(0, begin);
        if (text.size() > longestLine)
            return makeError(ErrorCode::BadInput, m_file.string() + " is not a journal of Optuna");
    }
}

Expected<void> FollowedJournal::append(std::string &lines)
{
    return writeAll(m_descriptor.get(), std::exchange(lines, {}), m_file);
}

Expected<void> FollowedJournal::update(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                       const std::vector<sweep::TrialRecord> &trials, std::uint64_t mostPoints)
{
    if (auto read = readNew(); !read)
        return read;
    OptunaStudy study(workspace, sweep, trials, mostPoints);
    std::string lines;
    if (m_state.isEmpty())
        lines = study.lines();
    else if (m_state.sweep() != sweep.folder)
        return makeError(ErrorCode::BadInput, "the study in " + m_file.string() + " was deleted");
    std::set<int> numbers;
    for (const sweep::TrialRecord &trial : trials) {
        numbers.insert(trial.number);
        const JournalTrial *known = m_state.trial(trial.number);
        if (known == nullptr || runsAgain(*known, trial))
            lines += study.lineOf(trial, {}).value_or(std::string());
        else if (!isFinished(known->state))
            lines += study.changesOf(*known, trial);
        if (lines.size() >= mostLinesAtOnce) {
            if (auto written = append(lines); !written)
                return written;
        }
    }
    for (const int number : m_state.unfinished()) {
        if (!numbers.contains(number))
            lines += study.endOf(*m_state.trial(number));
    }
    m_damage = study.damage().empty() ? m_damage : study.damage();
    return append(lines);
}

}  // namespace sweepscope::exporting
