#include "slurm/polling.h"
#include "slurm/submission.h"
#include "wording/sentence.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::slurm;
using namespace std::chrono_literals;

namespace {

std::string answerOf(int exitCode, const std::string &output, const std::string &errors)
{
    const SubmitAnswer answer = parseSubmission(exitCode, output, errors);
    if (const auto *accepted = std::get_if<Accepted>(&answer))
        return accepted->job;
    if (const auto *refused = std::get_if<Refused>(&answer))
        return "refused: " + wording::sentence(refused->fact);
    if (const auto *postponed = std::get_if<Postponed>(&answer))
        return "postponed: " + wording::sentence(postponed->fact);
    return "uncertain";
}

std::string failed(const std::string &message)
{
    return answerOf(1, "", "sbatch: error: Batch job submission failed: " + message + "\n");
}

Job named(const std::string &name)
{
    Job job;
    job.name = name;
    job.id = "4";
    return job;
}

std::string interval(PollState state, int jobs)
{
    const auto next = untilNextPoll(state, jobs);
    return next ? std::to_string(next->count()) : "never";
}

}  // namespace

TEST_CASE("the id is found in what sbatch prints")
{
    CHECK(answerOf(0, "123\n", "") == "123");
    CHECK(answerOf(0, "123;cluster\n", "") == "123");
    CHECK(answerOf(0, "Welcome 7!\n123\n", "") == "123");
    CHECK(answerOf(0, "", "") == "uncertain");
    CHECK(answerOf(0, "Submitted\n", "") == "uncertain");
}

TEST_CASE("errors of sbatch tell whether to give up, to wait or to look")
{
    CHECK(answerOf(1, "",
                   "sbatch: error: invalid partition specified: nope\n"
                   "sbatch: error: Batch job submission failed: Invalid partition name specified\n")
          == "refused: Slurm refused the job: invalid partition specified: nope; Invalid partition name specified");
    CHECK(answerOf(255, "", "sbatch: unrecognized option '--frob'\nTry \"sbatch --help\" for more information\n")
          == "refused: Slurm refused the job: unrecognized option '--frob'");
    CHECK(failed("Requested node configuration is not available")
          == "refused: Slurm refused the job: Requested node configuration is not available");
    CHECK(answerOf(1, "",
                   "sbatch: error: AssocMaxSubmitJobLimit\nsbatch: error: Batch job submission failed: Job violates "
                   "accounting/QOS policy (job submit limit, user's size and/or time limits)\n")
              .starts_with("postponed: Slurm accepts no further job at present: AssocMaxSubmitJobLimit"));
    CHECK(answerOf(
              1, "",
              "sbatch: error: QOSMaxWallDurationPerJobLimit\nsbatch: error: Batch job submission failed: Job violates "
              "accounting/QOS policy (job submit limit, user's size and/or time limits)\n")
              .starts_with("refused: "));
    CHECK(failed("Unable to contact slurm controller (connect failure)")
          == "postponed: Slurm's controller does not answer: Unable to contact slurm controller (connect failure)");
    CHECK(failed("Socket timed out on send/recv operation") == "uncertain");
    CHECK(failed("Zero Bytes were transmitted or received") == "uncertain");
    CHECK(answerOf(1, "", "") == "uncertain");
    CHECK(answerOf(137, "", "") == "uncertain");
}

TEST_CASE("a test tells when a job would start, or why not")
{
    const TestAnswer answer =
        parseTest(0, "", "sbatch: Job 3 to start at 1795864855 using 1 processors on nodes n1 in partition main\n");
    REQUIRE(std::holds_alternative<StartEstimate>(answer));
    CHECK(std::get<StartEstimate>(answer).starts == 1795864855);
    CHECK(std::get<StartEstimate>(answer).nodes == "n1");
    CHECK(!std::get<StartEstimate>(parseTest(0, "", "")).starts);
    const TestAnswer refused = parseTest(1, "", "allocation failure: Requested node configuration is not available\n");
    REQUIRE(std::holds_alternative<Refused>(refused));
    CHECK(std::get<Refused>(refused).isTooLarge);
    CHECK_FALSE(std::get<Refused>(parseTest(1, "", "Invalid account or account/partition combination\n")).isTooLarge);
    CHECK(std::get<Refused>(refused).fact.text(facts::Field::Detail)
          == "Requested node configuration is not available");
}

TEST_CASE("nothing is submitted twice")
{
    JobSight sight("a");
    CHECK(nextStep(std::nullopt, sight) == SubmitStep::Submit);
    CHECK(nextStep(10min, sight) == SubmitStep::Wait);  // no answer yet
    sight.apply({});
    CHECK(nextStep(10min, sight) == SubmitStep::Wait);  // one may be an accident
    sight.apply({});
    CHECK(nextStep(30s, sight) == SubmitStep::Wait);  // a request may still be under way
    CHECK(nextStep(2min, sight) == SubmitStep::Submit);
    sight.apply({named("b"), named("a")});
    CHECK(nextStep(2min, sight) == SubmitStep::Exists);
    CHECK(nextStep(std::nullopt, sight) == SubmitStep::Exists);
}

TEST_CASE("polling backs off when the controller is slow, down or has much to do")
{
    CHECK(interval({}, 0) == "never");
    CHECK(interval({}, 1) == "10000");
    CHECK(interval({4s, 10ms, 0}, 1) == "6000");
    CHECK(interval({20s, 10ms, 0}, 1) == "0");
    CHECK(interval({0s, 2s, 0}, 1) == "100000");
    CHECK(interval({0s, 60s, 0}, 1) == "300000");
    CHECK(interval({0s, 10ms, 0}, 1000) == "60000");
    CHECK(interval({0s, 10ms, 1}, 1) == "20000");
    // A controller that hung for a while is asked again soon, although the call took long.
    CHECK(interval({0s, 20s, 1}, 1) == "20000");
    CHECK(interval({0s, 10ms, 4}, 1) == "30000");
    CHECK(interval({0s, 10ms, 1'000'000}, 1) == "30000");
    CHECK(interval({0s, 10ms, 0, true}, 1) == "2000");
    CHECK(interval({1s, 1s, 0, true}, 1) == "4000");
    CHECK(interval({0s, 10ms, 1, true}, 1) == "20000");
    const auto quick = untilNextPoll({0s, 10ms, 0}, 1, {100ms, 1s});
    CHECK(quick == std::chrono::milliseconds(500));
}
