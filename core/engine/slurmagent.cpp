#include "engine/slurmagent.h"

#include "base/files.h"
#include "base/log.h"
#include "engine/attemptparts.h"
#include "engine/jobverdict.h"
#include "node/attemptstart.h"
#include "slurm/waitingreason.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <utility>

namespace sweepscope::engine {

namespace {

using namespace std::chrono_literals;
using facts::Code;
using facts::Fact;
using facts::Field;
using std::chrono::steady_clock;

/// What a node has written is seen here by then (NFS: acregmin, 3 s by default).
constexpr auto untilFilesAreSeen = 5s;
/// Then what the files say has to do.
constexpr auto patienceWithSlurm = 60s;
/// A job waits so long for the next attempt, and is seen to have begun it or to have ended a little later.
constexpr auto lingers = 10s;
constexpr auto patienceWithHost = 20s;
constexpr std::chrono::seconds shortAttempt = 9min;  // the script counts its start, too
constexpr WallNs readFilesEvery = std::chrono::nanoseconds(1s).count();

const char *nameOfSignal(int signal)
{
    switch (signal) {
    case SIGTERM:
        return "TERM";
    case SIGQUIT:
        return "QUIT";
    case SIGUSR2:
        return "USR2";
    case SIGTSTP:
        return "TSTP";
    case SIGCONT:
        return "CONT";
    default:
        return nullptr;
    }
}

}  // namespace

JobUse::~JobUse()
{
    if (const auto cluster = m_cluster.lock())
        cluster->desk().forget(m_name);
}

SlurmAgent::SlurmAgent(MachinePool &machines, std::shared_ptr<Cluster> cluster, std::unique_ptr<JobFiles> files,
                       Attempt attempt)
    : m_machines(machines),
      m_cluster(std::move(cluster)),
      m_files(std::move(files)),
      m_attempt(std::move(attempt)),
      m_name(m_attempt.host.empty() || !m_attempt.hostId.empty() ? slurm::jobName(m_attempt.id) : m_attempt.host)
{
    if (!m_attempt.hostId.empty()) {
        IdleJob host{m_attempt.host, m_attempt.hostId, {}, {}};
        host.use = std::make_shared<JobUse>(m_cluster, host.name);
        m_cluster->desk().follow(host.name);
        m_offer = Offer{std::move(host), steady_clock::now()};
    } else if (!m_attempt.host.empty()) {
        m_handedOver = steady_clock::now();
    }
    if (!m_attempt.submission && m_attempt.hasJob && m_attempt.node == 0)
        m_cluster->desk().follow(m_name);
}

Fact SlurmAgent::lost()
{
    settleOffer();
    return m_files->lost();
}

/// Of several jobs the one that has the attempt.
slurm::JobView SlurmAgent::job() const
{
    slurm::JobNews news = m_cluster->desk().newsOf(m_name);
    if (news.jobs.size() > 1) {
        const auto ours = std::ranges::find(news.jobs, node::jobOf(m_attempt.files), &slurm::Job::id);
        if (ours != news.jobs.end())
            return *ours;
    }
    return news.view;
}

bool SlurmAgent::hasEnded() const
{
    const slurm::JobView view = job();
    const auto *seen = std::get_if<slurm::Job>(&view);
    const bool hasEnded = seen != nullptr ? slurm::hasEnded(seen->state) : std::holds_alternative<slurm::Gone>(view);
    if (!hasEnded)
        m_end.reset();
    else if (!m_end)
        m_end = steady_clock::now();
    return hasEnded;
}

bool SlurmAgent::hasEndedForAWhile() const
{
    return hasEnded() && steady_clock::now() - *m_end >= untilFilesAreSeen;
}

/// Its process cannot be seen, so an end that its files report counts.
std::optional<launch::AgentLife> SlurmAgent::life(const launch::ProcessIdentity & /*agent*/) const
{
    if (hasEndedForAWhile() && m_files->isComplete(true))
        return std::nullopt;
    return launch::AgentLife{true, false};
}

void SlurmAgent::signal(const launch::ProcessIdentity & /*agent*/, int signal)
{
    slurm::JobDesk &desk = m_cluster->desk();
    m_asksToSave = m_asksToSave || signal == SIGUSR2;
    m_isAskedToEnd = m_isAskedToEnd || (signal != SIGTSTP && signal != SIGCONT);
    if (const char *name = nameOfSignal(signal))
        desk.signal(m_name, name);
    else
        desk.cancel(m_name);
}

AgentFound SlurmAgent::find(WallNs /*now*/)
{
    if (!m_attempt.hasJob)
        return {{}, Code::EngineEndedBeforeStart, {}};
    settleOffer();
    slurm::JobDesk &desk = m_cluster->desk();
    if (m_isWithdrawn && m_files->withdraw()) {
        desk.cancel(m_name);
        return {{}, Code::StoppedOnRequest, {}};
    }
    if (m_attempt.submission && !m_isWithdrawn) {
        const auto place = m_files->place();
        if (!place)
            return {};
        if (!*place) {
            m_machines.noteRefusal(m_attempt.machine, place->error());
            return {{}, Fact(Code::OnMachine).with(Field::Machine, m_attempt.machine).dueTo(place->error()), {}};
        }
        submit(**place);
    }
    const slurm::JobNews news = desk.newsOf(m_name);
    if (news.isRefused) {
        if (m_attempt.node == 0 && !news.isTooLarge)  // other sweeps may ask for less
            m_machines.noteRefusal(m_attempt.machine, news.problem);
        return {{}, news.problem, {}};
    }
    tryIdleJob(news);
    if (m_handedOver && steady_clock::now() - *m_handedOver >= patienceWithHost && m_files->withdraw())
        return {{}, Fact(Code::JobNotContinued), {}};
    if (news.isToBegin || !hasEndedForAWhile() || !m_files->isComplete(true))
        return {};
    std::error_code error;
    const std::filesystem::path log = m_attempt.files.agentLog();
    if (std::filesystem::file_size(log, error) > 0 && !error)
        return {{}, {}, Fact(Code::AgentNotStarted).with(Field::Detail, node::lastLineOf(log))};
    return {{}, {}, Code::JobVanished};
}

void SlurmAgent::submit(const JobFiles::Place &place)
{
    const Submission submission = *std::exchange(m_attempt.submission, std::nullopt);
    m_size = submission.size;
    m_place = place;
    if (!submission.mayExist && submission.size.nodes == 1 && continueJob(place, submission.size))
        return;
    slurm::BatchJob job;
    job.name = m_name;
    job.folder = place.folder;
    job.command = {place.agent, place.folder};
    for (const AttemptPart &part : partsOfJob({}, m_attempt.ranks, submission.size.nodes)) {
        if (part.firstRank > 0)
            job.otherFolders.push_back(filesOf(AttemptLayout{}, part).folder.string());
    }
    job.gpus = submission.size.gpus;
    job.cpus = submission.size.cpus > 1 ? submission.size.cpus : 0;
    job.lingers = lingers;
    m_cluster->desk().submit(std::move(job), m_cluster->settings(), submission.mayExist);
}

/// What is written first lets the next engine find the job.
bool SlurmAgent::continueJob(const JobFiles::Place &place, const schedule::JobSize &size)
{
    auto job =
        m_cluster->idleJobs().take(size, slurm::checkpointTime(m_cluster->settings()), wallNow(), steady_clock::now());
    if (!job || !writeFileAtomically(m_attempt.files.hostJob(), job->name, Survives::Kill))
        return false;
    m_name = job->name;
    m_attempt.use = std::move(job->use);
    m_attempts = job->attempts + 1;
    m_handedOver = steady_clock::now();
    if (const auto handed = m_files->handOver(job->place, place.folder); !handed)
        log(LogLevel::Warning, "slurm", handed.error().message);  // it is withdrawn after a while
    return true;
}

/// While the own job waits in the queue, one that is idle may run the attempt: whichever creates the file that says whose it is.
void SlurmAgent::tryIdleJob(const slurm::JobNews &news)
{
    const auto *seen = std::get_if<slurm::Job>(&news.view);
    if (m_offer || m_handedOver || m_isWithdrawn || m_isAskedToEnd || !m_place || !m_size || m_size->nodes > 1
        || seen == nullptr || seen->state != slurm::JobState::Pending)
        return;
    auto job = m_cluster->idleJobs().take(*m_size, slurm::checkpointTime(m_cluster->settings()), wallNow(),
                                          steady_clock::now());
    if (!job || !writeFileAtomically(m_attempt.files.hostJob(), job->name + "\n" + job->id + "\n", Survives::Kill))
        return;
    if (const auto handed = m_files->handOver(job->place, m_place->folder); !handed)
        log(LogLevel::Warning, "slurm", handed.error().message);  // the own job stays
    m_offer = Offer{std::move(*job), steady_clock::now()};
}

/// Leaves the queue once the other job has the attempt.
void SlurmAgent::settleOffer()
{
    if (!m_offer)
        return;
    const std::string owner = node::jobOf(m_attempt.files);
    if (owner == m_offer->job.id) {
        m_cluster->desk().cancel(m_name);
        (void)writeFileAtomically(m_attempt.files.hostJob(), m_offer->job.name, Survives::Kill);
        m_name = m_offer->job.name;
        m_attempts = m_offer->job.attempts + 1;
        m_attempt.use = std::move(m_offer->job.use);
        m_offer.reset();
    } else if (!owner.empty() || steady_clock::now() - m_offer->since >= patienceWithHost) {
        std::error_code error;
        std::filesystem::remove(m_attempt.files.hostJob(), error);
        m_offer.reset();
    }
}

/// An attempt that was short may be followed by another one in its job.
void SlurmAgent::offerJob()
{
    const slurm::JobView view = job();
    const auto *seen = std::get_if<slurm::Job>(&view);
    if (!m_size || m_size->nodes > 1 || !m_found || m_isAskedToEnd || m_isWithdrawn || seen == nullptr
        || seen->state != slurm::JobState::Running || !seen->ends)
        return;
    const auto took = std::chrono::ceil<std::chrono::seconds>(steady_clock::now() - *m_found);
    if (took >= shortAttempt)
        return;
    m_cluster->idleJobs().add({m_name, seen->id, *m_size, m_files->name(), m_attempt.use, took,
                               std::chrono::nanoseconds(std::chrono::seconds(*seen->ends)).count(), m_attempts},
                              steady_clock::now());
}

void SlurmAgent::found(const launch::ProcessIdentity & /*agent*/)
{
    settleOffer();
    if (!m_isFound)
        m_machines.noteStart(m_attempt.machine);
    m_isFound = true;
    if (m_found)
        return;
    m_found = steady_clock::now();
    m_cluster->desk().hurry();  // when its time is over has to be known before a short attempt ends
}

bool SlurmAgent::needsRecovery(const launch::ProcessIdentity & /*agent*/) const
{
    return m_files->needsRecovery();
}

std::optional<node::Recovery> SlurmAgent::recover(const launch::ProcessIdentity &agent)
{
    return m_files->recover(agent);
}

std::optional<AttemptVerdict> SlurmAgent::explain(const AttemptVerdict &byFiles, bool isRequested)
{
    const auto now = steady_clock::now();
    if (!m_explains) {
        m_explains = now;
        m_cluster->desk().hurry();
    }
    if (m_attempt.hasJob && !m_attempt.submission && byFiles.end != AttemptEnd::NeverStarted
        && !m_files->isComplete(hasEnded()))
        return std::nullopt;
    const slurm::JobNews news = m_cluster->desk().newsOf(m_name);
    const auto *seen = std::get_if<slurm::Job>(&news.view);
    const bool failedByItself =
        byFiles.end == AttemptEnd::Failed && byFiles.failure == launch::FailureKind::ExitCode && seen != nullptr
        && seen->state == slurm::JobState::Running
        && std::chrono::nanoseconds(std::chrono::seconds(news.asked - 1)).count() > byFiles.time;
    if (failedByItself)
        return byFiles;  // Slurm has not ended the job, which waits for another attempt
    if (auto verdict =
            verdictOfJob(byFiles, isRequested || m_asksToSave, job(), slurm::checkpointTime(m_cluster->settings())))
        return verdict;
    return now - *m_explains >= patienceWithSlurm ? std::optional(byFiles) : std::nullopt;
}

std::optional<Fact> SlurmAgent::waits() const
{
    if (!m_attempt.hasJob)
        return Fact();
    const slurm::JobNews news = m_cluster->desk().newsOf(m_name);
    const auto *seen = std::get_if<slurm::Job>(&news.view);
    if (!m_isFound && seen != nullptr && seen->state == slurm::JobState::Pending && !news.problem)
        return slurm::waitingFact(*seen, news.asked);
    if (!m_isFound && (seen == nullptr || seen->state == slurm::JobState::Pending))
        return news.problem ? news.problem : Fact(Code::JobWaitsForScheduler);
    if (m_runs && seen == nullptr)
        return m_runs;
    Fact runs = Fact(Code::JobRuns)
                    .with(Field::Number, static_cast<std::int64_t>(std::atoll(node::jobOf(m_attempt.files).c_str())));
    if (m_attempts > 1)
        runs = std::move(runs).with(Field::Count, std::int64_t{m_attempts});
    if (seen != nullptr && !seen->nodeList.empty())
        runs = std::move(runs).with(Field::Detail, seen->nodeList);
    m_runs = std::move(runs);
    return m_runs;
}

void SlurmAgent::withdraw(bool isUrgent)
{
    m_isWithdrawn = true;
    if (isUrgent)
        m_cluster->desk().cancel(m_name);
}

WallNs SlurmAgent::readEvery() const
{
    return readFilesEvery;
}

void SlurmAgent::ended()
{
    offerJob();
    m_attempt.use.reset();
    m_files->ended();
}

Expected<void> SlurmAgent::write(const std::string &name, const std::string &content)
{
    return m_files->write(name, content);
}

}  // namespace sweepscope::engine
