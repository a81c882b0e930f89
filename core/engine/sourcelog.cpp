#include "engine/sourcelog.h"

#include "base/filedescriptor.h"
#include "base/files.h"
#include "snapshot/gitprogram.h"
#include "snapshot/snapshot.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <fcntl.h>
#include <sstream>
#include <utility>

namespace sweepscope::engine {

namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr auto patience = 20s;
constexpr auto patienceAtEnd = 5s;
/// There may be as many folders as trials; the states of the others are forgotten.
constexpr std::size_t mostFolders = 64;
constexpr std::uint64_t mostBytes = 64 * 1024 * 1024;

void append(const SourceLog::Place &place, WallNs time, const SourceState &state)
{
    QJsonObject line{{u"time_ns"_s, qint64{time}},
                     {u"folder"_s, QString::fromStdString(place.folder.string())},
                     {u"revision"_s, QString::fromStdString(state.revision)},
                     {u"branch"_s, QString::fromStdString(state.branch)},
                     {u"changed"_s, state.isChanged}};
    const auto insert = [&](const QString &name, const std::string &text) {
        if (!text.empty())
            line.insert(name, QString::fromStdString(text));
    };
    insert(u"tree"_s, state.tree);
    insert(u"below"_s, state.below);
    insert(u"problem"_s, state.problem);
    const auto file = openRegularFile(place.log, O_WRONLY | O_APPEND | O_CREAT);
    // A write error is harmless: then the code of these attempts is unknown.
    if (file)
        (void)writeAll(file->get(), QJsonDocument(line).toJson(QJsonDocument::Compact).toStdString() + "\n", place.log);
}

/// Sizes in the message of a problem change with each check.
bool isNews(const std::optional<SourceState> &recorded, const SourceState &state)
{
    if (!recorded || recorded->problem.empty() || state.problem.empty())
        return recorded != state;
    SourceState same = state;
    same.problem = recorded->problem;
    return *recorded != same;
}

}  // namespace

SourceState sourceStateFrom(const std::string &untrustedStatus)
{
    constexpr std::string_view revision = "# branch.oid ";
    constexpr std::string_view branch = "# branch.head ";
    SourceState state;
    std::istringstream lines(untrustedStatus);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(revision))
            state.revision = line.substr(revision.size());
        else if (line.starts_with(branch))
            state.branch = line.substr(branch.size());
        else if (!line.starts_with('#'))
            state.isChanged = true;
    }
    if (state.revision == "(initial)")
        state.revision.clear();
    if (state.branch == "(detached)")
        state.branch.clear();
    return state;
}

SourceLog::SourceLog(std::filesystem::path store, Pause pause)
    : m_store(std::move(store)), m_pause(pause), m_thread([this] { work(); })
{}

SourceLog::~SourceLog()
{
    {
        std::unique_lock lock(m_mutex);
        m_ending = true;
        m_changed.notify_all();
        m_ended.wait_for(lock, patienceAtEnd, [this] { return m_hasEnded; });
        m_cancelled = true;
    }
    m_thread.join();
}

void SourceLog::record(const Place &place, WallNs now)
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_watched.contains(place) && m_watched.size() >= mostFolders)
            forgetOldest();
        Watched &watched = m_watched[place];
        if (watched.began)
            return;
        watched.began = now;
    }
    m_changed.notify_all();
}

void SourceLog::forgetOldest()
{
    const auto oldest = std::min_element(m_watched.begin(), m_watched.end(), [](const auto &a, const auto &b) {
        return std::pair(a.second.began.has_value(), a.second.notBefore)
               < std::pair(b.second.began.has_value(), b.second.notBefore);
    });
    m_watched.erase(oldest);
}

void SourceLog::work()
{
    std::unique_lock lock(m_mutex);
    while (!m_cancelled) {
        auto next = m_watched.end();
        for (auto each = m_watched.begin(); each != m_watched.end(); ++each) {
            if (each->second.began && (next == m_watched.end() || each->second.notBefore < next->second.notBefore))
                next = each;
        }
        if (next == m_watched.end()) {
            if (m_ending)
                break;
            m_changed.wait(lock);
            continue;
        }
        const Time start = steady_clock::now();
        if (!m_ending && next->second.notBefore > start) {
            m_changed.wait_until(lock, next->second.notBefore);
            continue;
        }
        const Place place = next->first;
        const WallNs began = *std::exchange(next->second.began, std::nullopt);
        std::optional<SourceState> recorded = next->second.state;
        lock.unlock();
        const std::optional<SourceState> state = examine(place);
        if (state && isNews(recorded, *state)) {
            append(place, began, *state);
            recorded = state;
        }
        lock.lock();
        const Time end = steady_clock::now();
        if (const auto watched = m_watched.find(place); watched != m_watched.end()) {
            watched->second.state = recorded;
            watched->second.notBefore =
                end + std::clamp<steady_clock::duration>((end - start) * m_pause.factor, m_pause.least, m_pause.most);
        }
    }
    m_hasEnded = true;
    m_ended.notify_all();
}

/// Returns nullopt if it was cancelled.
std::optional<SourceState> SourceLog::examine(const Place &place) const
{
    SourceState state;
    snapshot::GitCommand status{
        {"-c", "core.fsmonitor=false", "status", "--porcelain=v2", "--branch", "--untracked-files=no"}, place.folder};
    status.limit = patience;
    if (const auto output = snapshot::runGit(status, m_cancelled); output && output->exitCode == 0)
        state = sourceStateFrom(output->text);
    if (place.snapshot == Snapshot::Taken) {
        Expected<snapshot::Snapshot> taken = snapshot::take(m_store, place.folder, place.sweep, m_cancelled);
        if (taken) {
            state.tree = std::move(taken->tree);
            state.below = taken->plan.below.string();
        } else {
            state.problem = taken.error().message;
        }
    }
    return m_cancelled ? std::nullopt : std::optional(state);
}

std::string mergedSources(const std::vector<std::filesystem::path> &logs)
{
    std::multimap<WallNs, std::string> byTime;
    for (const std::filesystem::path &log : logs) {
        std::istringstream lines(readFile(log, mostBytes).value_or(std::string()));
        for (std::string line; std::getline(lines, line);) {
            const QJsonObject entry = QJsonDocument::fromJson(QByteArray::fromStdString(line)).object();
            if (const WallNs time = entry.value(u"time_ns"_s).toInteger(); time > 0)
                byTime.emplace(time, std::move(line));
        }
    }
    std::string merged;
    for (const auto &[time, line] : byTime)
        merged += line + '\n';
    return merged;
}

std::optional<SourceState> sourceAt(const std::filesystem::path &log, const std::filesystem::path &folder, WallNs time)
{
    std::optional<SourceState> found;
    std::istringstream lines(readFile(log, mostBytes).value_or(std::string()));
    for (std::string line; std::getline(lines, line);) {
        const QJsonObject entry = QJsonDocument::fromJson(QByteArray::fromStdString(line)).object();
        if (entry.value(u"folder"_s).toString().toStdString() != folder.string()
            || entry.value(u"time_ns"_s).toInteger(time + 1) > time)
            continue;
        const auto text = [&](QLatin1StringView name) { return entry.value(name).toString().toStdString(); };
        found = SourceState{text("revision"_L1), text("branch"_L1), entry.value(u"changed"_s).toBool(),
                            text("tree"_L1),     text("below"_L1),  text("problem"_L1)};
    }
    return found;
}

}  // namespace sweepscope::engine
