#include "slurm/submission.h"

#include "base/printable.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <string_view>

namespace sweepscope::slurm {

namespace {

using namespace std::chrono_literals;
using facts::Code;
using facts::Fact;
using facts::Field;

/// A request that slurmctld has read while it hung is in the queue by then.
constexpr std::chrono::milliseconds settleTime = 90s;
constexpr std::size_t longestMessage = 300;
constexpr int wrongOption = 255;
constexpr int wrongOptionThere = 254;  ///< over ssh

struct Pattern {
    std::string_view text;
    Code code;
};

/// sbatch's words when nothing was accepted, but may be later.
constexpr std::array<Pattern, 9> laterPatterns{{
    {"MaxSubmitJob", Code::JobSubmitLimit},
    {"GrpSubmitJobs", Code::JobSubmitLimit},
    {"Slurm temporarily unable to accept job", Code::JobSubmitLimit},
    {"Resource temporarily unavailable", Code::JobSubmitLimit},
    {"rate limit", Code::JobSubmitLimit},
    {"Unable to contact slurm controller (connect failure)", Code::ClusterUnreachable},
    {"Slurm backup controller in standby mode", Code::ClusterUnreachable},
    {"Unable to resolve", Code::ClusterUnreachable},
    {"Munge", Code::ClusterUnreachable},
}};

/// And when slurmctld may have accepted it all the same.
constexpr std::array<std::string_view, 6> uncertainPatterns{
    "timed out",
    "Zero Bytes",
    "Transport endpoint",
    "Connection reset",
    "Unexpected message received",
    "Communication connection failure",
};

/// When this job asks for what it can never get.
constexpr std::array<std::string_view, 6> tooLargePatterns{
    "Requested node configuration is not available", "Node count specification invalid",
    "More processors requested than permitted",      "Requested partition configuration not available",
    "Memory specification can not be satisfied",     "Requested time limit is invalid",
};

/// Its lines without prefixes, on one line. The last "Batch job submission failed" is usually the reason.
std::string messageIn(const std::string &errors)
{
    std::istringstream lines(errors);
    std::string message;
    for (std::string line; std::getline(lines, line);) {
        for (const std::string_view prefix :
             {"sbatch: ", "error: ", "Batch job submission failed: ", "allocation failure: "}) {
            if (line.starts_with(prefix))
                line.erase(0, prefix.size());
        }
        if (!line.empty() && !line.starts_with("Try \""))
            message += (message.empty() ? "" : "; ") + line;
    }
    return printable(message.substr(0, longestMessage));
}

bool has(const std::string &text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

std::variant<Refused, Postponed, Uncertain> failureOf(int exitCode, const std::string &errors)
{
    const std::string message = messageIn(errors);
    const auto fact = [&message](Code code) { return Fact(code).with(Field::Detail, message); };
    if (exitCode == wrongOption || exitCode == wrongOptionThere)
        return Refused{fact(Code::JobRefused)};
    for (const Pattern &pattern : laterPatterns) {
        if (has(errors, pattern.text))
            return Postponed{fact(pattern.code)};
    }
    if (exitCode != 1 || message.empty()
        || std::ranges::any_of(uncertainPatterns, [&errors](std::string_view part) { return has(errors, part); }))
        return Uncertain{fact(Code::SubmissionUncertain)};
    const bool isTooLarge =
        std::ranges::any_of(tooLargePatterns, [&errors](std::string_view part) { return has(errors, part); });
    return Refused{fact(Code::JobRefused), isTooLarge};
}

}  // namespace

SubmitAnswer parseSubmission(int exitCode, const std::string &output, const std::string &errors)
{
    if (exitCode != 0)
        return std::visit([](auto &&failure) { return SubmitAnswer(failure); }, failureOf(exitCode, errors));
    // A plug-in or the shell may have printed something before.
    std::istringstream lines(output);
    std::string id;
    for (std::string line; std::getline(lines, line);) {
        const std::string first = line.substr(0, line.find_first_of("; \r"));  // "123;cluster"
        const bool isNumber = !first.empty() && first.size() < 20
                              && std::ranges::all_of(first, [](char c) { return c >= '0' && c <= '9'; });
        if (isNumber)
            id = first;
    }
    if (id.empty())
        return Uncertain{
            Fact(Code::SubmissionUncertain).with(Field::Detail, printable(output.substr(0, longestMessage)))};
    return Accepted{id};
}

TestAnswer parseTest(int exitCode, const std::string &output, const std::string &errors)
{
    if (exitCode != 0)
        return std::visit([](auto &&failure) { return TestAnswer(failure); }, failureOf(exitCode, errors));
    // "sbatch: Job 3 to start at 1795864855 using 1 processors on nodes n1 in partition main"
    StartEstimate estimate;
    std::istringstream words(errors + " " + output);
    std::string before;
    for (std::string word; words >> word; before = word) {
        std::int64_t time = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), time);
        if (before == "at" && error == std::errc() && end == word.data() + word.size())
            estimate.starts = time;
        if (before == "nodes")
            estimate.nodes = printable(word.substr(0, longestMessage));
    }
    return estimate;
}

SubmitStep nextStep(std::optional<std::chrono::milliseconds> sinceSubmission, const JobSight &sight)
{
    if (std::holds_alternative<Job>(sight.view()))
        return SubmitStep::Exists;
    if (!sinceSubmission)
        return SubmitStep::Submit;
    return std::holds_alternative<Gone>(sight.view()) && *sinceSubmission >= settleTime ? SubmitStep::Submit
                                                                                        : SubmitStep::Wait;
}

}  // namespace sweepscope::slurm
