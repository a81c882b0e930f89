#pragma once

#include "base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sweepscope::slurm {

enum class JobState : std::uint8_t {
    Pending,
    Running,  ///< has nodes: also while it starts, ends or is suspended
    Completed,
    Failed,
    Cancelled,
    TimedOut,
    NodeFailed,
    Preempted,
    OutOfMemory,
    BootFailed,
    PastDeadline,
    Other,  ///< unknown to this version
};

bool hasEnded(JobState state);
/// Of Slurm's word in any case, also "CANCELLED by 1000".
JobState jobStateOf(std::string_view word);

/// What Slurm says about a job. Times are seconds since 1970.
struct Job {
    std::string id;
    std::string name;
    JobState state = JobState::Other;
    std::string reason;  ///< Slurm's word, with its explanation: "Priority", "ReqNodeNotAvail, UnavailableNodes:n1"
    std::int64_t submitted = 0;          ///< 0 if unknown, like the following
    std::optional<std::int64_t> starts;  ///< of a pending job an estimate
    std::optional<std::int64_t> ends;    ///< of a running job the end of its wall time
    std::optional<std::int64_t> limit;   ///< its wall time, seconds; nullopt: none
    int nodes = 0;
    std::string nodeList;  ///< "gpu[1-2]"
    std::string partition;
    std::optional<int> exitCode{};  ///< of its script, if asked for
    std::optional<int> signal{};    ///< that ended the script

    bool operator==(const Job &) const = default;
};

/// The format of squeue for parseQueue(). Its fields exist in every version, unlike those of -O and --json.
inline constexpr const char *queueFormat = "%i|%T|%V|%S|%e|%l|%D|%P|%N|%r|%j";

/// Parses the jobs of ours in squeue's output; jobs with other names are skipped. Corrupt if it does not begin with the
/// header, so that an answer without jobs differs from none.
Expected<std::vector<Job>> parseQueue(std::string_view untrusted);
/// Parses `scontrol show job`. NotFound, Corrupt.
Expected<Job> parseShownJob(std::string_view untrusted);
/// The format of sacct for parseAccounting(), with --parsable2.
inline constexpr const char *accountingFormat =
    "JobIDRaw,State,Submit,Start,End,Timelimit,NNodes,Partition,NodeList,ExitCode,JobName";
/// Parses sacct's output with a header, like parseQueue().
Expected<std::vector<Job>> parseAccounting(std::string_view untrusted);

/// A job is one of these, and never guessed.
struct Unknown {};  ///< there was no answer yet
struct Gone {};     ///< answers without it: it has ended, or was never accepted
using JobView = std::variant<Unknown, Gone, Job>;

/// What was seen of one job. Answers that fail change nothing.
class JobSight {
public:
    explicit JobSight(std::string name) : m_name(std::move(name)) {}

    /// Takes an answer about all jobs. Of several jobs with the name, one that has not ended counts, or else the last.
    void apply(const std::vector<Job> &answer);
    /// Gone only after two answers in a row without it: slurmctld forgets jobs for a moment when it restarts.
    const JobView &view() const { return m_view; }
    /// All jobs with the name in the last answer: more than one if a submission was repeated.
    const std::vector<Job> &jobs() const { return m_jobs; }

private:
    std::string m_name;
    JobView m_view;
    std::vector<Job> m_jobs;
    int m_absences = 0;  ///< answers in a row without it
};

}  // namespace sweepscope::slurm
