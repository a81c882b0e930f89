#include "syntheticrun.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::diagnosis;

TEST_CASE("replica whose weights differ is named with the first differing step")
{
    SyntheticRun run(4);
    for (int step = 100; step <= 500; step += 100) {
        for (int rank = 0; rank < 4; ++rank)
            run.add(rank, "weights_hash", step, step, rank == 3 && step >= 300 ? 17 : step * 1000.0);
    }
    const auto findings = findingsOf(run.report(), "diverged-replicas");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rank == 3);
    CHECK(findings[0].window.fromStep == 300);
}

TEST_CASE("of two differing replicas neither is blamed over rank 0")
{
    SyntheticRun run(2);
    run.add(0, "weights_hash", 1, 1, 5);
    run.add(1, "weights_hash", 1, 1, 6);
    const auto findings = findingsOf(run.report(), "diverged-replicas");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rank == 1);
}

TEST_CASE("an error message about weights is not evaluated, only reported values are")
{
    SyntheticRun run(2);
    run.evidence().ranks[0].events.push_back(
        {feed::EventKind::Error, 40, SyntheticRun::start, "the weights of rank 1 differ from the checkpoint's"});
    CHECK(resultOf(run.report(), "diverged-replicas").verdict == Verdict::NotEnoughData);
}

TEST_CASE("equal weights pass, and hashes of different steps are insufficient")
{
    SyntheticRun equal(2);
    SyntheticRun apart(2);
    for (int rank = 0; rank < 2; ++rank) {
        equal.add(rank, "weights_hash", 1, 1, 5);
        apart.add(rank, "weights_hash", 1 + rank, 1, 5);
    }
    CHECK(resultOf(equal.report(), "diverged-replicas").verdict == Verdict::Clear);
    CHECK(resultOf(apart.report(), "diverged-replicas").verdict == Verdict::NotEnoughData);
    CHECK(resultOf(SyntheticRun(2).report(), "diverged-replicas").verdict == Verdict::NotEnoughData);
    CHECK(resultOf(SyntheticRun(1).report(), "diverged-replicas").missing == "the trial has one rank");
}

TEST_CASE("constant order of samples means a missing set_epoch")
{
    SyntheticRun run(2);
    for (int epoch = 0; epoch < 4; ++epoch) {
        for (int rank = 0; rank < 2; ++rank)
            run.add(rank, "sample_order", epoch * 100, epoch, 11 + rank);
    }
    const Report report = run.report();
    CHECK(foundIn(report) == "same-order");
    const auto findings = findingsOf(report, "same-order");
    CHECK(!findings[0].rank);
    CHECK(findings[0].value == 4);
    CHECK(findings[0].hint.find("set_epoch") != std::string::npos);
}

TEST_CASE("ranks with the same order in an epoch had the same samples")
{
    SyntheticRun run(4);
    for (int epoch = 0; epoch < 4; ++epoch) {
        for (int rank = 0; rank < 4; ++rank)
            run.add(rank, "sample_order", epoch * 100, epoch, 100 * epoch + (rank == 3 ? 1 : rank));
    }
    const Report report = run.report();
    CHECK(foundIn(report) == "same-samples");
    CHECK(findingsOf(report, "same-samples")[0].sentence
          == "ranks 1 and 3 saw the same samples in the epoch of step 0");
}

TEST_CASE("different orders pass, and one epoch is insufficient")
{
    SyntheticRun good(2);
    SyntheticRun brief(2);
    for (int rank = 0; rank < 2; ++rank) {
        brief.add(rank, "sample_order", 0, 0, rank);
        for (int epoch = 0; epoch < 3; ++epoch)
            good.add(rank, "sample_order", epoch, epoch, 10 * epoch + rank);
    }
    CHECK(foundIn(good.report()).empty());
    CHECK(resultOf(good.report(), "same-order").verdict == Verdict::Clear);
    CHECK(resultOf(good.report(), "same-samples").verdict == Verdict::Clear);
    CHECK(resultOf(brief.report(), "same-order").missing == "only one epoch was reported");
    CHECK(resultOf(SyntheticRun(2).report(), "same-order").verdict == Verdict::NotEnoughData);
    CHECK(resultOf(SyntheticRun(2).report(), "same-samples").verdict == Verdict::NotEnoughData);
}

TEST_CASE("losses that are equal at all steps come from the same samples")
{
    const auto report = [](double difference, double slope) {
        SyntheticRun run(2);
        for (int step = 1; step <= 40; ++step) {
            const double loss = 2 - slope * step;
            run.add(0, "loss", step, 0.1 * step, loss);
            run.add(1, "loss", step, 0.1 * step, step == 20 ? loss + difference : loss);
        }
        return run.report();
    };
    const auto findings = findingsOf(report(0, 0.01), "same-samples");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].sentence
          == "ranks 0 and 1 have the same loss at all steps, to the last digit: they see the same samples, unless the "
             "script "
             "reports the mean over ranks");
    CHECK(resultOf(report(1e-9, 0.01), "same-samples").verdict == Verdict::NotEnoughData);
    CHECK(resultOf(report(0, 0), "same-samples").verdict == Verdict::NotEnoughData);  // a loss that never changes
}

TEST_CASE("replicas with equal weights and different gradients do not average them")
{
    const auto report = [](double weights, double gradients, const char *event, double later = 8) {
        SyntheticRun run(3);
        for (int rank = 0; rank < 3; ++rank) {
            run.add(rank, "weights_hash", 0, 1, rank == 1 ? weights : 5);
            run.add(rank, "weights_hash", 1, 2, rank == 1 ? later : 6);
            run.add(rank, "gradients_hash", 2, 2, rank == 1 ? gradients : 7);
            run.evidence().ranks[static_cast<std::size_t>(rank)].events.push_back(
                {.kind = feed::EventKind::Message, .step = 1, .text = event});
        }
        return run.report();
    };
    const char *const event = "gradients: train.py:40: no DistributedDataParallel averages them";
    const auto findings = findingsOf(report(5, 8, event), "script-mistake");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].severity == Severity::Problem);
    CHECK(findings[0].rank == 1);
    CHECK(findings[0].sentence
          == "train.py:40: the gradients of rank 1 differ from the other ranks', although all weights were equal at "
             "first: no DistributedDataParallel averages them; wrap the model in DistributedDataParallel after all its "
             "parameters are created, or average each gradient before optimizer.step()");
    CHECK(resultOf(report(5, 7, event), "script-mistake").verdict == Verdict::Clear);     // averaged by the script
    CHECK(resultOf(report(6, 8, event), "script-mistake").verdict == Verdict::Clear);     // parts of a model
    CHECK(resultOf(report(5, 8, event, 6), "script-mistake").verdict == Verdict::Clear);  // averages weights
    CHECK(resultOf(report(5, 8, "message"), "script-mistake").verdict == Verdict::Clear);
    CHECK(findingsOf(report(5, 8, "gradients: "), "script-mistake").size() == 1);
}

TEST_CASE("mistakes that watched scripts report are findings with their place")
{
    SyntheticRun run(2);
    for (int rank = 0; rank < 2; ++rank) {
        run.add(rank, "loss", 1, 0.1, 1.0 + rank);
        run.evidence().ranks[static_cast<std::size_t>(rank)].events.push_back(
            {.kind = sweepscope::feed::EventKind::Warning,
             .step = 3,
             .text = "mistake wrapper-thrown-away: train.py:12: x"});
    }
    run.evidence().ranks[1].events.push_back(
        {.kind = sweepscope::feed::EventKind::Warning, .step = 9, .text = "mistake find-unused: train.py:12: y"});
    run.evidence().ranks[0].events.push_back(
        {.kind = sweepscope::feed::EventKind::Warning, .step = 9, .text = "mistakes were made"});
    const auto findings = findingsOf(run.report(), "script-mistake");
    REQUIRE(findings.size() == 2);
    CHECK(findings[0].severity == Severity::Problem);
    CHECK(findings[0].sentence == "train.py:12: x");
    CHECK_FALSE(findings[0].rank.has_value());
    CHECK(findings[1].severity == Severity::Note);
    CHECK(findings[1].rank == 1);
    CHECK(resultOf(SyntheticRun(2).report(), "script-mistake").verdict == Verdict::NotEnoughData);
}
