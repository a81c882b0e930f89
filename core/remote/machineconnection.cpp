#include "remote/machineconnection.h"

#include "base/clock.h"
#include "base/files.h"
#include "base/log.h"
#include "base/timeasleep.h"

#include <QFile>
#include <QProcess>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace sweepscope::remote {

namespace {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;
using std::chrono::steady_clock;

constexpr std::chrono::milliseconds landLimit = 30s;
constexpr std::chrono::milliseconds bringLimit = 30min;
constexpr std::chrono::milliseconds killLimit = 10s;
constexpr std::chrono::seconds setupLimit = 2min;
constexpr std::chrono::milliseconds loopTurn = 50ms;
constexpr auto pingInterval = 2s;
constexpr auto patienceWithSilence = 15s;
constexpr std::chrono::milliseconds firstPause = 500ms;
constexpr std::chrono::milliseconds longestPause = 30s;
constexpr std::size_t digitsOfKey = 16;
constexpr std::uint64_t mostHostFileBytes = 1024 * 1024;

/// The name of the folder for attempts of this workspace on other machines: no other machine or workspace has the same.
std::string keyOf(const std::filesystem::path &workspace)
{
    const std::string machine = readFile("/etc/machine-id", 4096).value_or("");
    const std::string text = machine + "\n" + std::to_string(::getuid()) + "\n" + workspace.string();
    return hashOf(QByteArray::fromStdString(text)).substr(0, digitsOfKey);
}

/// A tar archive of the folder; equal folders have equal ones.
Expected<QByteArray> archiveOf(const std::filesystem::path &folder)
{
    QProcess tar;
    tar.start(u"tar"_s,
              {u"-C"_s, QString::fromStdString(folder.string()), u"--exclude=__pycache__"_s, u"--sort=name"_s,
               u"--mtime=@0"_s, u"--owner=0"_s, u"--group=0"_s, u"--numeric-owner"_s, u"-cf"_s, u"-"_s, u"."_s});
    if (!tar.waitForFinished(static_cast<int>(landLimit.count())) || tar.exitCode() != 0)
        return makeError(ErrorCode::Io, "tar cannot read " + folder.string() + ": "
                                            + tar.readAllStandardError().trimmed().toStdString());
    return tar.readAllStandardOutput();
}

}  // namespace

Expected<QByteArray> contentOf(int file)
{
    QFile content;
    if (::lseek(file, 0, SEEK_SET) != 0 || !content.open(file, QIODevice::ReadOnly))
        return makeErrnoError("cannot read an archive", errno);
    return content.readAll();
}

Expected<std::string> Site::bring(const std::string &kind, const std::string &name,
                                  const std::function<Expected<QByteArray>()> &archive) const
{
    const std::string parent = base + "/" + kind;
    const std::string folder = parent + "/" + name;
    const auto there = ssh.runScript("[ -d " + shellWord(folder) + " ] && touch -c " + shellWord(folder), landLimit);
    if (!there)
        return tl::unexpected(there.error());
    if (there->exitCode == 0)
        return folder;
    const Expected<QByteArray> bytes = archive();
    if (!bytes)
        return tl::unexpected(bytes.error());
    // Renamed once it is complete. Another engine may bring the same at this time: then that one counts.
    const std::string part = name + ".part-" + std::to_string(::getpid());
    const std::string script = "umask 077; mkdir -p " + shellWord(parent) + " && cd " + shellWord(parent)
                               + " && rm -rf " + part + " && mkdir " + part + " && tar -xf - -C " + part
                               + " && chmod -R a-w " + part + " && chmod u+w " + part + " && touch " + part
                               + " && mv -T " + part + " " + name + " || { chmod -R u+w " + part + "; rm -rf " + part
                               + "; [ -d " + name + " ]; }";
    const auto sent = ssh.run(inShell(script), *bytes, bringLimit);
    if (!sent)
        return tl::unexpected(sent.error());
    if (sent->exitCode != 0)
        return makeError(ErrorCode::Io, "cannot unpack " + folder + ": " + sshMessage(sent->errors));
    return folder;
}

namespace {

/// Of the setup, which failed.
std::string environmentProblem(const Ssh::Output &output)
{
    const std::string said = sshMessage(output.errors);
    return said.empty() ? "its setup ended with exit code " + std::to_string(output.exitCode) : said;
}

}  // namespace

Expected<void> Site::checkEnvironment(const Machine &machine, bool needsPython) const
{
    if (working->contains(needsPython))
        return {};
    std::string script = setupScript(machine);
    if (needsPython && machine.container.empty())
        script += "command -v " + shellWord(machine.python) + " >/dev/null || { echo "
                  + shellWord("there is no " + machine.python + "; set the machine's python or setup")
                  + " >&2; exit 1; }\n";
    else if (needsPython)  // its program may be missing, too
        script += inContainer(machine) + shellWord(machine.python) + " -c '' || { echo "
                  + shellWord(machine.python + " does not run in the machine's container") + " >&2; exit 1; }\n";
    if (!script.empty()) {
        const auto output = ssh.run(inShell(inLoginShell(script + "exit 0", setupLimit)), {}, setupLimit + landLimit);
        if (!output)
            return tl::unexpected(output.error());
        if (output->exitCode == setupTimedOut)
            return makeError(ErrorCode::NotFound,
                             "its setup did not finish within " + std::to_string(setupLimit.count()) + " s");
        if (output->exitCode != 0)
            return makeError(ErrorCode::NotFound, environmentProblem(*output));
    }
    working->insert(needsPython);
    return {};
}

/// What lasts as long as a connection.
struct MachineConnection::Session {
    NodeLink &link;
    FileStream stream;
    Site site;
    std::future<std::pair<std::int64_t, Expected<node::Start>>> preparing{};
    std::map<std::int64_t, std::string> starting{};  ///< folders of the attempts, by request
    std::chrono::nanoseconds asleep = timeAsleep();
};

MachineConnection::MachineConnection(Machine machine, Place place)
    : m_machine(std::move(machine)), m_place(std::move(place))
{
    m_status.since = steady_clock::now();
    readUnfinished();
    m_thread = std::thread([this] {
        run();
        m_isDone = true;
    });
}

MachineConnection::~MachineConnection()
{
    end();
    m_thread.join();
}

void MachineConnection::end()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_wake.notify_all();
}

bool MachineConnection::isConnected() const
{
    const std::lock_guard lock(m_mutex);
    return m_status.isConnected;
}

bool MachineConnection::isBusy() const
{
    const std::lock_guard lock(m_mutex);
    const bool isCopying = std::ranges::any_of(m_followed, [](const auto &item) { return item.second.isFinishing; });
    return m_status.isConnected && (isCopying || !m_requests.empty() || m_hasDiscarded);
}

MachineStatus MachineConnection::status() const
{
    const std::lock_guard lock(m_mutex);
    return m_status;
}

std::int64_t MachineConnection::start(Prepare prepare)
{
    const std::lock_guard lock(m_mutex);
    m_requests[++m_lastRequest].prepare = std::move(prepare);
    return m_lastRequest;
}

bool MachineConnection::cancelStart(std::int64_t request)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_requests.find(request);
    if (found == m_requests.end() || !found->second.prepare)
        return false;
    m_requests.erase(found);
    return true;
}

std::int64_t MachineConnection::post(node::Message request, std::string payload)
{
    const std::lock_guard lock(m_mutex);
    ++m_lastRequest;
    std::visit(
        [this](auto &message) {
            if constexpr (requires { message.job; })
                message.job = m_lastRequest;
        },
        request);
    m_requests[m_lastRequest] = {std::move(request), std::move(payload)};
    return m_lastRequest;
}

std::optional<MachineConnection::Answer> MachineConnection::takeAnswer(std::int64_t request)
{
    const std::lock_guard lock(m_mutex);
    auto found = m_answers.extract(request);
    return found ? std::optional(std::move(found.mapped())) : std::nullopt;
}

void MachineConnection::answer(std::int64_t request, Answer answer)
{
    const std::lock_guard lock(m_mutex);
    const auto asked = m_requests.extract(request);
    const bool isAwaited = asked && !std::holds_alternative<node::Signal>(asked.mapped().message)
                           && !std::holds_alternative<node::Write>(asked.mapped().message);
    if (isAwaited)
        m_answers.insert_or_assign(request, std::move(answer));
}

void MachineConnection::follow(const std::string &folder, std::optional<node::Process> agent)
{
    const std::lock_guard lock(m_mutex);
    Followed &followed = m_followed[folder];
    followed.isFinishing = false;
    if (followed.agent == agent)
        return;
    followed.agent = agent;
    followed.isAnnounced = false;
    followed.isLevel = false;
}

void MachineConnection::finish(const std::string &folder)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_followed.find(folder);
    if (found == m_followed.end() || found->second.isFinishing)
        return;
    found->second.isFinishing = true;
    if (found->second.isLevel) {
        m_toUnfollow.push_back(folder);
        m_followed.erase(found);
    }
    writeUnfinished();
}

void MachineConnection::giveUp(const std::string &folder, const node::Process &agent)
{
    const std::lock_guard lock(m_mutex);
    m_followed.erase(folder);
    std::ofstream(hostFile("given-up"), std::ios::app) << agent.pid << ' ' << agent.began << ' ' << folder << '\n';
}

void MachineConnection::discard(const std::string &sweepFolder)
{
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_followed, [&](const auto &item) { return item.first.starts_with("sweeps/" + sweepFolder + "/"); });
    std::error_code error;
    std::filesystem::create_directories(hostFile("discarded").parent_path(), error);
    std::ofstream(hostFile("discarded"), std::ios::app) << sweepFolder << '\n';
    m_hasDiscarded = true;
}

bool MachineConnection::isLevel(const std::string &folder) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_followed.find(folder);
    return found != m_followed.end() && found->second.isLevel;
}

std::optional<node::Life> MachineConnection::life(const std::string &folder) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_followed.find(folder);
    return found != m_followed.end() ? found->second.life : std::nullopt;
}

std::uint64_t MachineConnection::looks(const std::string &folder) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_followed.find(folder);
    return found != m_followed.end() ? found->second.looks : 0;
}

std::filesystem::path MachineConnection::hostFile(const char *name) const
{
    return m_place.workspace / "hosts" / m_machine.name / name;
}

/// Attempts that had ended when the last engine did, but not all of whose files had come.
void MachineConnection::readUnfinished()
{
    std::istringstream lines(readFile(hostFile("unfinished"), mostHostFileBytes).value_or(std::string()));
    std::int64_t pid = 0;
    std::int64_t began = 0;
    for (std::string folder; lines >> pid >> began && std::getline(lines >> std::ws, folder);) {
        Followed &followed = m_followed[folder];
        followed.agent = node::Process{pid, began};
        followed.isFinishing = true;
    }
}

void MachineConnection::writeUnfinished() const
{
    std::string lines;
    for (const auto &[folder, followed] : m_followed) {
        if (followed.isFinishing && followed.agent)
            lines +=
                std::to_string(followed.agent->pid) + " " + std::to_string(followed.agent->began) + " " + folder + "\n";
    }
    std::error_code error;
    std::filesystem::create_directories(hostFile("unfinished").parent_path(), error);
    static_cast<void>(writeFileAtomically(hostFile("unfinished"), lines, Survives::Kill));
}

void MachineConnection::run()
{
    std::chrono::milliseconds pause = firstPause;
    while (true) {
        const auto began = steady_clock::now();
        const Expected<void> ended = connectAndServe();
        std::unique_lock lock(m_mutex);
        if (m_isEnding)
            return;
        setProblem(ended ? "the connection ended" : ended.error().message);
        if (steady_clock::now() - began > longestPause)
            pause = firstPause;
        const auto asleep = timeAsleep();
        for (auto waited = 0ms; waited < pause && !m_isEnding && timeAsleep() - asleep < sleepThatCounts;
             waited += 500ms)
            m_wake.wait_for(lock, 500ms);
        pause = timeAsleep() - asleep < sleepThatCounts ? std::min(2 * pause, longestPause) : firstPause;
        if (m_isEnding)
            return;
    }
}

/// Call with the mutex locked.
void MachineConnection::setProblem(const std::string &problem)
{
    if (m_status.isConnected || m_status.problem.empty())
        m_status.since = steady_clock::now();
    if (m_status.problem != problem || m_status.isConnected)
        log(LogLevel::Warning, "machines", m_machine.name + ": " + problem);
    m_status.isConnected = false;
    m_status.problem = problem;
    for (auto &[folder, followed] : m_followed) {
        followed.isAnnounced = false;
        followed.isLevel = false;
        followed.life.reset();
    }
    for (auto &[number, request] : m_requests)
        request.isSent = false;
    m_toUnfollow.clear();
}

Expected<void> MachineConnection::connectAndServe()
{
    Ssh ssh(m_machine.ssh, Questions::Refused);
    ssh.cancelWhen(m_isEnding);
    const Expected<PortablePrograms> programs = portablePrograms(m_place.share);
    if (!programs)
        return tl::unexpected(programs.error());
    if (Expected<void> connected = ssh.connect(); !connected)
        return connected;
    const auto output = ssh.runScript(landingScript(*programs, m_machine.folder), landLimit);
    if (!output)
        return tl::unexpected(output.error());
    const Expected<Landing> landing = landingIn(output->output.toStdString(), *programs);
    if (!landing)
        return tl::unexpected(landing.error());
    if (const auto brought = bringPrograms(ssh, *landing, *programs); !brought)
        return tl::unexpected(brought.error());
    const std::string base = std::filesystem::path(landing->work).parent_path().string();
    const std::string root = landing->work + "/" + keyOf(m_place.workspace);
    Site site{ssh, base, root, m_isEnding};
    const Expected<std::string> python = bringReporter(site);
    if (!python)
        return tl::unexpected(python.error());
    site.python = *python;
    const Expected<std::unique_ptr<NodeLink>> link = NodeLink::open(ssh, landing->folder, root);
    if (!link)
        return tl::unexpected(link.error());
    if (Expected<void> killed = killGivenUp(**link); !killed)
        return killed;

    Session session{**link, FileStream(**link, m_place.workspace, m_machine.name), site};
    if (!m_machine.slurm) {  // jobs run on other machines than a login node
        session.link.send(node::Sample{true});
        session.stream.followMachine();
    }
    {
        const std::lock_guard lock(m_mutex);
        log(LogLevel::Info, "machines", m_machine.name + ": connected");
        m_status.isConnected = true;
        m_status.problem.clear();
        m_status.since = steady_clock::now();
        m_status.welcome = session.link.welcome();
        m_status.disk = m_status.welcome.disk;
    }
    auto heard = steady_clock::now();
    auto pinged = heard - pingInterval;
    while (true) {
        const Outgoing outgoing = takeOutgoing(session);
        if (m_isEnding)
            return {};
        send(session, outgoing);
        if (outgoing.hasDiscarded)
            removeDiscarded(site);
        if (Expected<void> prepared = prepareNext(session); !prepared)
            return prepared;
        const auto now = steady_clock::now();
        if (now - pinged >= pingInterval) {
            session.link.send(node::Ping{wallNow()});
            pinged = now;
        }
        const auto parcel = session.link.next(loopTurn);
        if (!parcel)
            return tl::unexpected(parcel.error());
        if (*parcel) {
            heard = steady_clock::now();
            if (Expected<void> handled = handle(session, **parcel); !handled)
                return handled;
        } else if (now - heard > patienceWithSilence) {
            return makeError(ErrorCode::Timeout, "it has not answered for 15 seconds");
        } else if (timeAsleep() - session.asleep >= sleepThatCounts) {
            return makeError(ErrorCode::Unavailable, "this machine slept");
        }
    }
}

Expected<std::string> MachineConnection::bringReporter(const Site &site) const
{
    const Expected<QByteArray> archive = archiveOf(m_place.share / "python");
    if (!archive)
        return tl::unexpected(archive.error());
    return site.bring("python", hashOf(*archive).substr(0, digitsOfKey), [&archive] { return archive; });
}

/// Before anything else, so that nothing runs twice.
Expected<void> MachineConnection::killGivenUp(NodeLink &link)
{
    const Expected<std::string> lines = readFile(hostFile("given-up"), mostHostFileBytes);
    if (!lines)
        return {};
    std::istringstream words(*lines);
    node::Process agent;
    for (std::string folder; words >> agent.pid >> agent.began && std::getline(words >> std::ws, folder);) {
        const auto killed = link.ask(node::Signal{0, agent, SIGQUIT}, killLimit);  // the agent ends its ranks
        if (!killed && killed.error().message == "the connection broke")
            return tl::unexpected(killed.error());
    }
    std::error_code error;
    std::filesystem::remove(hostFile("given-up"), error);
    return {};
}

void MachineConnection::removeDiscarded(const Site &site)
{
    const std::string lines = readFile(hostFile("discarded"), mostHostFileBytes).value_or(std::string());
    std::string folders;
    std::istringstream all(lines);
    for (std::string folder; std::getline(all, folder);) {
        if (!folder.empty() && folder.find('/') == std::string::npos && folder.front() != '.')
            folders += " " + shellWord(folder);
    }
    if (folders.empty())
        return;
    const auto removed = site.ssh.runScript(
        "cd " + shellWord(site.root) + "/sweeps 2>/dev/null || exit 0\nrm -rf --" + folders, killLimit);
    const std::lock_guard lock(m_mutex);
    const bool isNews = readFile(hostFile("discarded"), mostHostFileBytes).value_or(std::string()) != lines;
    std::error_code error;
    if (removed && removed->exitCode == 0 && !isNews)
        std::filesystem::remove(hostFile("discarded"), error);
    m_hasDiscarded = m_hasDiscarded || isNews;
}

MachineConnection::Outgoing MachineConnection::takeOutgoing(Session &session)
{
    const std::lock_guard lock(m_mutex);
    Outgoing outgoing{std::exchange(m_toUnfollow, {}), {}, {}, std::exchange(m_hasDiscarded, false)};
    for (auto &[folder, followed] : m_followed) {
        if (!std::exchange(followed.isAnnounced, true))
            outgoing.follow.emplace_back(folder, followed.agent);
    }
    for (auto &[number, request] : m_requests) {
        if (request.prepare || std::exchange(request.isSent, true))
            continue;
        if (const auto *start = std::get_if<node::Start>(&request.message); start != nullptr && !start->byJob)
            session.starting[number] = start->folder;
        outgoing.requests.push_back({request.message, request.payload});
    }
    return outgoing;
}

/// Without the mutex: a connection that breaks takes its time.
void MachineConnection::send(Session &session, const Outgoing &outgoing)
{
    for (const std::string &folder : outgoing.unfollow)
        session.stream.unfollow(folder);
    for (const auto &[folder, agent] : outgoing.follow)
        session.stream.follow(folder, agent);
    for (const node::Parcel &request : outgoing.requests)
        session.link.send(request.message, request.payload);
}

/// One after the other, because attempts of a sweep need the same.
Expected<void> MachineConnection::prepareNext(Session &session)
{
    if (session.preparing.valid()) {
        if (session.preparing.wait_for(0s) != std::future_status::ready)
            return {};
        auto [number, made] = session.preparing.get();
        if (!made && made.error().code == ErrorCode::Unavailable)
            return tl::unexpected(made.error());
        if (!made) {
            answer(number, tl::unexpected(node::Failed{number, made.error().message, {}}));
            return {};
        }
        made->job = number;
        const std::lock_guard lock(m_mutex);
        if (const auto asked = m_requests.find(number); asked != m_requests.end())  // it was not cancelled meanwhile
            asked->second = {std::move(*made)};
        return {};
    }
    const std::lock_guard lock(m_mutex);
    const auto next = std::ranges::find_if(m_requests, [](const auto &item) { return bool(item.second.prepare); });
    if (next == m_requests.end())
        return {};
    session.preparing =
        std::async(std::launch::async, [number = next->first, prepare = next->second.prepare, site = session.site] {
            return std::pair(number, prepare(site));
        });
    return {};
}

Expected<void> MachineConnection::handle(Session &session, const node::Parcel &parcel)
{
    if (const auto *done = std::get_if<node::Done>(&parcel.message)) {
        if (const auto started = session.starting.find(done->job); started != session.starting.end())
            follow(started->second, done->process);
        answer(done->job, *done);
    } else if (const auto *failed = std::get_if<node::Failed>(&parcel.message)) {
        answer(failed->job, tl::unexpected(*failed));
    } else if (const auto *life = std::get_if<node::Life>(&parcel.message)) {
        const std::lock_guard lock(m_mutex);
        if (const auto found = m_followed.find(life->folder); found != m_followed.end()) {
            found->second.life = *life;
            ++found->second.looks;
        }
    } else if (const auto *level = std::get_if<node::Level>(&parcel.message)) {
        const std::lock_guard lock(m_mutex);
        const auto found = m_followed.find(level->folder);
        if (found == m_followed.end())
            return {};
        found->second.isLevel = true;
        if (!found->second.isFinishing)
            return {};
        m_toUnfollow.push_back(level->folder);
        m_followed.erase(found);
        writeUnfinished();
    } else if (const auto *machine = std::get_if<node::Machine>(&parcel.message)) {
        const std::lock_guard lock(m_mutex);
        m_status.devices = *machine;
    } else if (const auto *pong = std::get_if<node::Pong>(&parcel.message)) {
        const WallNs now = wallNow();
        const std::int64_t error =
            std::max<std::int64_t>(1, ((now - pong->sent) - (pong->answered - pong->received)) / 2);
        const std::lock_guard lock(m_mutex);
        m_status.disk = pong->disk;
        if (m_status.clockError == 0 || error <= m_status.clockError) {
            m_status.clockError = error;
            m_status.clockOffset = ((pong->received - pong->sent) + (pong->answered - now)) / 2;
        }
    } else {
        return session.stream.apply(parcel).map([](const std::string &) {});
    }
    return {};
}

}  // namespace sweepscope::remote
