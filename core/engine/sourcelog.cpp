#include "engine/sourcelog.h"

#include "base/filedescriptor.h"
#include "base/files.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcessEnvironment>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sstream>
#include <sys/prctl.h>

namespace sweepscope::engine {

namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

constexpr WallNs pauseBetweenChecks = std::chrono::nanoseconds(10s).count();
constexpr auto patience = 20s;
/// There may be as many folders as trials; beyond this number they are not examined.
constexpr std::size_t mostFolders = 64;
constexpr auto mostAtOnce = 4;
constexpr std::uint64_t mostBytes = 16 * 1024 * 1024;

QProcessEnvironment quietEnvironment()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"GIT_OPTIONAL_LOCKS"_s, u"0"_s);  // do not refresh the user's index
    environment.insert(u"LC_ALL"_s, u"C"_s);
    return environment;
}

void append(const std::filesystem::path &log, const std::filesystem::path &folder, WallNs time,
            const SourceState &state)
{
    const QJsonObject line{{u"time_ns"_s, qint64{time}},
                           {u"folder"_s, QString::fromStdString(folder.string())},
                           {u"revision"_s, QString::fromStdString(state.revision)},
                           {u"branch"_s, QString::fromStdString(state.branch)},
                           {u"changed"_s, state.isChanged}};
    const auto file = openRegularFile(log, O_WRONLY | O_APPEND | O_CREAT);
    // A write error is harmless: then the code of these attempts is unknown.
    if (file)
        (void)writeAll(file->get(), QJsonDocument(line).toJson(QJsonDocument::Compact).toStdString() + "\n", log);
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

SourceLog::~SourceLog()
{
    for (auto &[place, watched] : m_watched) {
        if (!watched.git)
            continue;
        watched.git->disconnect(this);
        watched.git->kill();
        watched.git->waitForFinished(1000);
    }
}

void SourceLog::record(const std::filesystem::path &log, const std::filesystem::path &folder, WallNs now)
{
    const Place place{log, folder};
    if (isBusy() || (!m_watched.contains(place) && m_watched.size() >= mostFolders))
        return;
    Watched &watched = m_watched[place];
    // The absolute value, because the clock may have been set back.
    if (watched.git || (watched.checkedAt != 0 && std::abs(now - watched.checkedAt) < pauseBetweenChecks))
        return;
    watched.checkedAt = now;
    watched.git = start(place);
}

bool SourceLog::isBusy() const
{
    return std::count_if(m_watched.begin(), m_watched.end(),
                         [](const auto &entry) { return entry.second.git != nullptr; })
           >= mostAtOnce;
}

std::unique_ptr<QProcess> SourceLog::start(const Place &place)
{
    auto git = std::make_unique<QProcess>();
    git->setProcessEnvironment(quietEnvironment());
    git->setStandardInputFile(QProcess::nullDevice());
    git->setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    connect(git.get(), &QProcess::finished, this, [this, place] { finish(place); });
    connect(
        git.get(), &QProcess::errorOccurred, this,
        [this, place](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                finish(place);
        },
        Qt::QueuedConnection);
    QTimer::singleShot(patience, git.get(), [process = git.get()] { process->kill(); });
    git->start(u"git"_s, {u"-C"_s, QString::fromStdString(place.second.string()), u"status"_s, u"--porcelain=v2"_s,
                          u"--branch"_s, u"--untracked-files=no"_s});
    return git;
}

void SourceLog::finish(const Place &place)
{
    Watched &watched = m_watched[place];
    if (!watched.git)
        return;
    QProcess *git = watched.git.release();
    git->deleteLater();  // not delete: it is the sender
    if (git->error() != QProcess::UnknownError)
        return;  // not installed, or timed out
    const bool isRepository = git->exitCode() == 0;
    const SourceState state =
        isRepository ? sourceStateFrom(git->readAllStandardOutput().toStdString()) : SourceState();
    if (watched.state == state)
        return;
    watched.state = state;
    append(place.first, place.second, watched.checkedAt, state);
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
        found = SourceState{entry.value(u"revision"_s).toString().toStdString(),
                            entry.value(u"branch"_s).toString().toStdString(), entry.value(u"changed"_s).toBool()};
    }
    return found;
}

}  // namespace sweepscope::engine
