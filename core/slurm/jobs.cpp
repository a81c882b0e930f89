#include "slurm/jobs.h"

#include "base/printable.h"
#include "slurm/batchjob.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace sweepscope::slurm {

namespace {

constexpr std::string_view queueHeader = "JOBID|STATE|";
constexpr std::string_view accountingHeader = "JobIDRaw|State|";
constexpr std::size_t longestText = 500;
constexpr int absencesOfGone = 2;

constexpr std::array<std::pair<std::string_view, JobState>, 28> stateWords{{
    {"PENDING", JobState::Pending},       {"REQUEUED", JobState::Pending},
    {"REQUEUE_HOLD", JobState::Pending},  {"REQUEUE_FED", JobState::Pending},
    {"RESV_DEL_HOLD", JobState::Pending}, {"SPECIAL_EXIT", JobState::Pending},
    {"RUNNING", JobState::Running},       {"CONFIGURING", JobState::Running},
    {"POWER_UP_NODE", JobState::Running}, {"COMPLETING", JobState::Running},
    {"EXPEDITING", JobState::Running},    {"RESIZING", JobState::Running},
    {"SIGNALING", JobState::Running},     {"STAGE_OUT", JobState::Running},
    {"STOPPED", JobState::Running},       {"SUSPENDED", JobState::Running},
    {"COMPLETED", JobState::Completed},   {"FAILED", JobState::Failed},
    {"LAUNCH_FAILED", JobState::Failed},  {"RECONFIG_FAIL", JobState::Failed},
    {"CANCELLED", JobState::Cancelled},   {"REVOKED", JobState::Cancelled},
    {"TIMEOUT", JobState::TimedOut},      {"NODE_FAIL", JobState::NodeFailed},
    {"PREEMPTED", JobState::Preempted},   {"OUT_OF_MEMORY", JobState::OutOfMemory},
    {"BOOT_FAIL", JobState::BootFailed},  {"DEADLINE", JobState::PastDeadline},
}};

/// Takes the next line away, without its end.
std::string_view nextLine(std::string_view &text)
{
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

/// The last field keeps its separators: it is the name, which its user chose.
template <std::size_t Count>
std::optional<std::array<std::string_view, Count>> fieldsIn(std::string_view line)
{
    std::array<std::string_view, Count> fields;
    for (std::size_t i = 0; i + 1 < Count; ++i) {
        const std::size_t end = line.find('|');
        if (end == std::string_view::npos)
            return std::nullopt;
        fields[i] = line.substr(0, end);
        line.remove_prefix(end + 1);
    }
    fields[Count - 1] = line;
    return fields;
}

std::optional<std::int64_t> integerIn(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::string plainText(std::string_view text)
{
    return text == "(null)" ? std::string() : printable(std::string(text.substr(0, longestText)));
}

int countIn(std::string_view text)
{
    const auto value = integerIn(text.substr(0, text.find('-')));  // "1-1" of scontrol
    return value && *value > 0 && *value < 1'000'000 ? static_cast<int>(*value) : 0;
}

std::optional<std::int64_t> limitIn(std::string_view text)
{
    const auto limit = slurmTime(std::string(text));
    return limit ? std::optional<std::int64_t>(limit->count()) : std::nullopt;
}

bool isJobId(std::string_view id)
{
    return !id.empty() && id.size() < 64
           && std::ranges::all_of(id, [](char c) { return (c >= '0' && c <= '9') || c == '_' || c == '+'; });
}

void readExitCode(std::string_view text, Job &job)
{
    const std::size_t colon = text.find(':');
    const auto code = integerIn(text.substr(0, colon));
    const auto signal = colon == std::string_view::npos ? std::nullopt : integerIn(text.substr(colon + 1));
    if (code && *code >= 0 && *code <= 255)
        job.exitCode = static_cast<int>(*code);
    if (signal && *signal > 0 && *signal < 128)
        job.signal = static_cast<int>(*signal);
}

/// Noise of a login shell or of Slurm may come before the header.
bool skipThroughHeader(std::string_view &text, std::string_view header)
{
    while (!text.empty()) {
        if (nextLine(text).starts_with(header))
            return true;
    }
    return false;
}

/// Of "JobId=5 JobName=x" and lines like it the value of a key, up to the next space.
std::optional<std::string_view> valueOf(std::string_view text, std::string_view key)
{
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
        const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n';
        const std::size_t value = at + key.size();
        if (begins && value < text.size() && text[value] == '=') {
            const std::size_t end = text.find_first_of(" \n", value);
            return text.substr(value + 1, end == std::string_view::npos ? end : end - value - 1);
        }
    }
    return std::nullopt;
}

}  // namespace

bool hasEnded(JobState state)
{
    return state != JobState::Pending && state != JobState::Running && state != JobState::Other;
}

JobState jobStateOf(std::string_view word)
{
    const std::string_view first = word.substr(0, word.find_first_of(" +"));
    const auto found = std::ranges::find(stateWords, first, [](const auto &pair) { return pair.first; });
    return found != stateWords.end() ? found->second : JobState::Other;
}

Expected<std::vector<Job>> parseQueue(std::string_view text)
{
    if (!skipThroughHeader(text, queueHeader))
        return makeError(ErrorCode::Corrupt, "squeue printed no list of jobs");
    std::vector<Job> jobs;
    while (!text.empty()) {
        const auto fields = fieldsIn<11>(nextLine(text));
        if (!fields || !(*fields)[10].starts_with(jobPrefix) || !isJobId((*fields)[0]))
            continue;
        Job job;
        job.id = (*fields)[0];
        job.state = jobStateOf((*fields)[1]);
        job.submitted = integerIn((*fields)[2]).value_or(0);
        job.starts = integerIn((*fields)[3]);
        job.ends = integerIn((*fields)[4]);
        job.limit = limitIn((*fields)[5]);
        job.nodes = countIn((*fields)[6]);
        job.partition = plainText((*fields)[7]);
        job.nodeList = plainText((*fields)[8]);
        job.reason = plainText((*fields)[9]);
        job.name = (*fields)[10];
        jobs.push_back(std::move(job));
    }
    return jobs;
}

Expected<Job> parseShownJob(std::string_view text)
{
    const std::size_t begin = text.find("JobId=");
    if (begin == std::string_view::npos)
        return makeError(ErrorCode::Corrupt, "scontrol printed no job");
    text.remove_prefix(begin);
    Job job;
    job.id = valueOf(text, "JobId").value_or("");
    if (!isJobId(job.id))
        return makeError(ErrorCode::Corrupt, "scontrol printed no job");
    // The name may have spaces and look like other keys.
    std::string_view rest = text;
    const std::string_view first = nextLine(rest);
    const std::size_t name = first.find(" JobName=");
    job.name = name == std::string_view::npos ? std::string() : std::string(first.substr(name + 9));
    const auto field = [&rest](std::string_view key) { return valueOf(rest, key).value_or(""); };
    job.state = jobStateOf(field("JobState"));
    job.reason = plainText(field("Reason"));
    job.submitted = integerIn(field("SubmitTime")).value_or(0);
    job.starts = integerIn(field("StartTime"));
    job.ends = integerIn(field("EndTime"));
    job.limit = limitIn(field("TimeLimit"));
    job.nodes = countIn(field("NumNodes"));
    job.nodeList = plainText(field("NodeList"));
    job.partition = plainText(field("Partition"));
    readExitCode(field("ExitCode"), job);
    return job;
}

Expected<std::vector<Job>> parseAccounting(std::string_view text)
{
    if (!skipThroughHeader(text, accountingHeader))
        return makeError(ErrorCode::Corrupt, "sacct printed no list of jobs");
    std::vector<Job> jobs;
    while (!text.empty()) {
        const auto fields = fieldsIn<11>(nextLine(text));
        if (!fields || !(*fields)[10].starts_with(jobPrefix) || !isJobId((*fields)[0]))
            continue;
        Job job;
        job.id = (*fields)[0];
        job.state = jobStateOf((*fields)[1]);
        job.submitted = integerIn((*fields)[2]).value_or(0);
        job.starts = integerIn((*fields)[3]);
        job.ends = integerIn((*fields)[4]);
        job.limit = limitIn((*fields)[5]);
        job.nodes = countIn((*fields)[6]);
        job.partition = plainText((*fields)[7]);
        job.nodeList = plainText((*fields)[8]);
        readExitCode((*fields)[9], job);
        job.name = (*fields)[10];
        jobs.push_back(std::move(job));
    }
    return jobs;
}

void JobSight::apply(const std::vector<Job> &answer)
{
    std::vector<Job> mine;
    std::ranges::copy_if(answer, std::back_inserter(mine), [this](const Job &job) { return job.name == m_name; });
    if (mine.empty()) {
        m_jobs.clear();
        if (++m_absences >= absencesOfGone)
            m_view = Gone{};
        return;
    }
    m_absences = 0;
    std::ranges::stable_sort(mine, {}, [](const Job &job) {
        return std::tuple(!hasEnded(job.state), job.id.size(), job.id);  // ids are numbers
    });
    m_view = mine.back();
    m_jobs = std::move(mine);
}

}  // namespace sweepscope::slurm
