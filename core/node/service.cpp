#include "node/service.h"

#include "base/clock.h"
#include "base/diskspace.h"
#include "base/files.h"
#include "base/workspacelayout.h"
#include "launch/agentlife.h"
#include "node/attemptrecovery.h"
#include "schedule/leasefolder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <sys/utsname.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::node {

namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds scanEvery = 200ms;
constexpr int scanShare = 20;  ///< looking at files takes a twentieth of the time at most
constexpr std::size_t chunkBytes = 128 * 1024;
constexpr std::size_t mostChunksAhead = 256 * 1024;     ///< an answer waits for no more than this
constexpr std::size_t mostOutgoing = 16 * 1024 * 1024;  ///< an engine that reads nothing is gone
constexpr std::int64_t mostCredit = std::int64_t{1} << 40U;

launch::ProcessIdentity identityOf(const Process &process)
{
    return {static_cast<pid_t>(process.pid), static_cast<std::uint64_t>(process.began)};
}

std::string bootId()
{
    std::string id = readFile("/proc/sys/kernel/random/boot_id", 4096).value_or("");
    std::erase(id, '\n');
    return id;
}

std::int64_t memoryBytes()
{
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long bytes = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? std::int64_t{pages} * bytes : 0;
}

Disk diskOf(const std::filesystem::path &folder)
{
    const auto space = diskSpaceOf(folder);
    if (!space)
        return {};
    return {static_cast<std::int64_t>(space->freeBytes), static_cast<std::int64_t>(space->totalBytes)};
}

/// Nullopt: it has ended.
std::optional<Life> lifeOf(const std::string &folder, const Process &agent)
{
    const launch::ProcessIdentity identity = identityOf(agent);
    const auto life = launch::readAgentLife(identity);
    if (!life)
        return std::nullopt;
    const auto activity = launch::readAgentActivity(identity).value_or(0);
    return Life{folder, true, life->isPastItsRanks, life->isStopped, static_cast<std::int64_t>(activity)};
}

}  // namespace

Service::Service(Place place)
    : m_place(std::move(place)),
      m_starts(m_place.root, m_place.agent, schedule::LeaseFolder::ofThisMachine(), m_place.root.string()),
      m_files(m_place.root),
      m_sampling(WorkspaceLayout{m_place.root}.devicesFeed()),
      m_parser(FrameParser::Begins::AtOnce),
      m_heard(steady_clock::now()),
      m_nextScan(m_heard)
{}

Expected<void> Service::run()
{
    std::error_code error;
    std::filesystem::create_directories(m_place.root, error);
    if (error)
        return makeError(ErrorCode::Io, "cannot create the folder " + m_place.root.string() + ": " + error.message());
    ::signal(SIGPIPE, SIG_IGN);
    for (const int file : {m_place.input, m_place.output})
        ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) | O_NONBLOCK);
    m_outgoing = greeting;
    send(welcome());
    while (!m_isBroken) {
        std::array<pollfd, 2> files{{{m_place.input, POLLIN, 0}, {m_place.output, 0, 0}}};
        files[1].events = m_sent < m_outgoing.size() ? POLLOUT : 0;
        if (::poll(files.data(), files.size(), static_cast<int>(scanEvery.count())) < 0 && errno != EINTR)
            return makeErrnoError("cannot wait for the engine", errno);
        if (files[0].revents != 0) {
            const Expected<bool> goesOn = read();
            if (!goesOn)
                return tl::unexpected(goesOn.error());
            if (!*goesOn)
                return {};
        }
        for (const auto &[job, result] : m_reachability.poll())
            answer(job, result);
        const SteadyTime now = steady_clock::now();
        if (now - m_heard > m_place.silence)
            return makeError(ErrorCode::Timeout, "the engine is silent");
        if (now >= m_nextScan) {
            scan();
            const SteadyTime end = steady_clock::now();
            m_nextScan = end + std::max<steady_clock::duration>(scanEvery, scanShare * (end - now));
            if (auto machine = m_sampling.news())
                send(std::move(*machine));
        }
        sendChunks();
        flush();
    }
    return {};
}

/// Returns false at the end of the pipe.
Expected<bool> Service::read()
{
    std::array<char, 65536> buffer{};
    const ssize_t count = ::read(m_place.input, buffer.data(), buffer.size());
    if (count == 0)
        return false;
    if (count < 0)
        return errno == EAGAIN || errno == EINTR ? Expected<bool>(true) : Expected<bool>(false);
    m_heard = steady_clock::now();
    m_parser.append({buffer.data(), static_cast<std::size_t>(count)});
    while (true) {
        Expected<std::optional<Frame>> frame = m_parser.next();
        if (!frame)
            return tl::unexpected(frame.error());
        if (!*frame)
            return true;
        Expected<Parcel> parcel = parcelIn(std::move(**frame));
        if (!parcel)
            return tl::unexpected(parcel.error());
        handle(std::move(*parcel));
    }
}

void Service::handle(Parcel &&parcel)
{
    std::visit(
        [&](auto &&message) {
            using Kind = std::decay_t<decltype(message)>;
            if constexpr (std::is_same_v<Kind, Write>)
                handle(message, parcel.payload);
            else if constexpr (std::is_same_v<Kind, Prefer>)
                m_files.prefer({message.paths.begin(), message.paths.end()});
            else if constexpr (std::is_same_v<Kind, Credit>)
                m_credit = std::clamp<std::int64_t>(message.bytes, 0, mostCredit - m_credit) + m_credit;
            else if constexpr (std::is_same_v<Kind, Sample>)
                m_sampling.set(message.on);
            else if constexpr (requires { handle(std::forward<decltype(message)>(message)); })
                handle(std::forward<decltype(message)>(message));
            // What only a node process sends says nothing to one.
        },
        std::move(parcel.message));
}

void Service::handle(const Ping &ping)
{
    const WallNs received = wallNow();
    send(Pong{ping.sent, received, wallNow(), diskOf(m_place.root)});
}

void Service::handle(const Start &start)
{
    auto agent = m_starts.run(start);
    if (agent) {
        send(Done{start.job, *agent, start.byJob ? m_place.agent.string() : std::string()});
    } else {
        agent.error().job = start.job;
        send(std::move(agent.error()));
    }
}

void Service::handle(const Signal &signal)
{
    answer(signal.job, launch::signalProcess(identityOf(signal.process), static_cast<int>(signal.signal)));
}

void Service::handle(const Recover &recover)
{
    const Expected<std::filesystem::path> folder = below(m_place.root, recover.folder);
    if (!folder)
        return answer(recover.job, tl::unexpected(folder.error()));
    const AttemptLayout files{*folder};
    const Recovery recovery =
        recoverAttempt(files, recover.attempt, static_cast<int>(std::clamp<std::int64_t>(recover.ranks, 0, 4096)),
                       identityOf(recover.agent));
    if (!recovery.needsRoom)
        static_cast<void>(launch::startAgent(m_place.agent, *folder, {}, launch::AgentTask::Tidy));
    const auto watched = m_attempts.find(recover.folder);
    if (watched == m_attempts.end() || recovery.needsRoom || !recovery.undone.empty()) {
        send(Done{recover.job, {}, recovery.undone});
    } else {
        watched->second.recovering = recover.job;
        m_nextScan = SteadyTime();
    }
}

void Service::handle(const Withdraw &withdraw)
{
    auto agent = m_starts.withdraw(withdraw);
    if (agent && withdraw.byJob) {
        const Expected<std::string> job = below(m_place.root, withdraw.folder).and_then([](const auto &folder) {
            return withdrawFromJobs({folder});
        });
        if (job)
            send(Done{withdraw.job, {}, *job});
        else
            answer(withdraw.job, tl::unexpected(job.error()));
    } else if (agent) {
        send(Done{withdraw.job, agent->value_or(Process()), {}});
    } else {
        agent.error().job = withdraw.job;
        send(std::move(agent.error()));
    }
}

void Service::handle(const Write &write, const std::string &content)
{
    answer(write.job, below(m_place.root, write.path).and_then([&content](const auto &path) {
        return writeFileAtomically(path, content, Survives::Kill);
    }));
}

void Service::handle(const Listen &listen)
{
    const Expected<int> port = m_reachability.listen();
    if (port)
        send(Done{listen.job, {}, std::to_string(*port)});
    else
        send(Failed{listen.job, port.error().message, {}});
}

void Service::handle(const Dial &dial)
{
    m_reachability.dial(dial.job, dial.address, static_cast<int>(std::clamp<std::int64_t>(dial.port, 0, 65535)));
}

void Service::handle(Follow &&follow)
{
    if (!below(m_place.root, follow.folder))
        return;
    const auto known = m_attempts.find(follow.folder);
    if (known == m_attempts.end())
        m_files.follow(follow.folder, std::move(follow.held), follow.thin);
    Watched &watched = m_attempts[follow.folder];
    watched.agent = follow.agent;
    watched.isReported = false;
    m_nextScan = SteadyTime();
}

void Service::handle(const Unfollow &unfollow)
{
    m_files.unfollow(unfollow.folder);
    m_attempts.erase(unfollow.folder);
}

Welcome Service::welcome() const
{
    utsname system{};
    ::uname(&system);
    // "10.0.0.9 50122 10.0.0.2 22": from where, and to where, sshd(8).
    const char *ssh = std::getenv("SSH_CONNECTION");
    std::istringstream words(ssh != nullptr ? ssh : "");
    std::array<std::string, 4> connection;
    for (std::string &word : connection)
        words >> word;
    return {m_place.version,
            system.nodename,
            system.machine,
            bootId(),
            std::filesystem::absolute(m_place.root).string(),
            ::getuid(),
            ::getpid(),
            ::sysconf(_SC_NPROCESSORS_ONLN),
            memoryBytes(),
            diskOf(m_place.root),
            connection[2],
            connection[0]};
}

/// Processes first: what an agent has written before its end is seen by the scan that follows.
void Service::scan()
{
    std::map<std::string, std::optional<Life>> lives;
    for (const auto &[folder, watched] : m_attempts) {
        if (watched.agent)
            lives[folder] = lifeOf(folder, *watched.agent);
    }
    for (const Gone &gone : m_files.scan())
        send(gone);
    for (const auto &[folder, life] : lives) {
        Watched &watched = m_attempts[folder];
        reportLife(folder, watched, life);
        if (!life && watched.isReported && !watched.last.runs)
            reportLevel(folder, watched);
    }
}

void Service::reportLife(const std::string &folder, Watched &watched, std::optional<Life> life)
{
    if (!life) {
        if (!m_files.isDecisiveRead(folder))
            return;
        life = Life{folder};
    }
    if (watched.isReported && watched.last == *life)
        return;
    watched.isReported = true;
    watched.last = *life;
    send(std::move(*life));
}

void Service::reportLevel(const std::string &folder, Watched &watched)
{
    if (watched.recovering != 0 && m_files.isDecisiveRead(folder))
        send(Done{std::exchange(watched.recovering, 0), {}, {}});
    if (watched.recovering == 0 && m_files.takeLevel(folder))
        send(Level{folder});
}

void Service::sendChunks()
{
    while (m_credit > 0 && m_outgoing.size() - m_sent < mostChunksAhead) {
        auto chunk = m_files.next(static_cast<std::size_t>(std::min<std::int64_t>(m_credit, chunkBytes)));
        if (!chunk)
            return;
        m_credit -= static_cast<std::int64_t>(chunk->payload.size());
        m_outgoing += bytesOf(*chunk);
    }
}

template <typename Message>
void Service::send(Message &&message)
{
    m_outgoing += bytesOf(Parcel{std::forward<Message>(message), {}});
}

void Service::answer(std::int64_t job, const Expected<void> &result)
{
    if (result)
        send(Done{job, {}, {}});
    else
        send(Failed{job, result.error().message, {}});
}

void Service::flush()
{
    while (m_sent < m_outgoing.size()) {
        const ssize_t count = ::write(m_place.output, m_outgoing.data() + m_sent, m_outgoing.size() - m_sent);
        if (count > 0) {
            m_sent += static_cast<std::size_t>(count);
        } else if (errno == EAGAIN) {
            break;
        } else if (errno != EINTR) {
            m_isBroken = true;
            return;
        }
    }
    m_outgoing.erase(0, std::exchange(m_sent, 0));
    m_isBroken = m_outgoing.size() > mostOutgoing;
}

}  // namespace sweepscope::node
