#include "syntheticrun.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>

using namespace sweepscope::diagnosis;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// From 2.3 down to 0.1, with noise; every 37th batch is a hard one.
double healthy(int rank, int step)
{
    const double level = 0.1 + 2.2 * std::exp(-step / 150.0);
    return level * (1 + 0.3 * noise(rank, step)) + ((step + 5 * rank) % 37 == 0 ? 0.6 : 0);
}

SyntheticRun lossRun(int ranks, int steps, double (*value)(int, int))
{
    SyntheticRun run(ranks);
    for (int step = 1; step <= steps; ++step) {
        for (int rank = 0; rank < ranks; ++rank)
            run.add(rank, "loss", step, step * 0.1, value(rank, step));
    }
    return run;
}

}  // namespace

TEST_CASE("healthy noisy loss with hard batches has no spike")
{
    const SyntheticRun run = lossRun(2, 2000, healthy);
    CHECK(foundIn(run.report()).empty());
    CHECK(resultOf(run.report(), "loss-spike").verdict == Verdict::Clear);
    CHECK(resultOf(run.report(), "not-finite").verdict == Verdict::Clear);
}

TEST_CASE("spike on all ranks is found with its steps")
{
    const SyntheticRun run = lossRun(
        2, 1000, [](int rank, int step) { return healthy(rank, step) + (step >= 600 && step < 610 ? 4.0 : 0.0); });
    const auto findings = findingsOf(run.report(), "loss-spike");
    REQUIRE(findings.size() == 1);
    CHECK(!findings[0].rank);
    CHECK(findings[0].window.fromStep == 600);
    CHECK(findings[0].window.toStep == 609);
    CHECK(findings[0].value > 3);
    CHECK(findings[0].value > findings[0].threshold);
}

TEST_CASE("spike in a quickly falling loss is found: the fall is not noise")
{
    const auto falling = [](int rank, int step) {
        return 0.2 + 2 * std::exp(-step / 30.0) + 0.02 * std::sin(7.0 * step + rank);
    };
    const SyntheticRun spiked = lossRun(3, 300, [](int rank, int step) {
        return 0.2 + 2 * std::exp(-step / 30.0) + 0.02 * std::sin(7.0 * step + rank)
               + (rank == 2 && step >= 80 && step < 90 ? 4.0 : 0.0);
    });
    const auto findings = findingsOf(spiked.report(), "loss-spike");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rank == 2);
    CHECK(findings[0].window.fromStep == 80);
    CHECK(findings[0].window.toStep == 89);
    CHECK(foundIn(lossRun(3, 300, falling).report()).empty());
}

TEST_CASE("curves of many kinds have no spike, whatever their noise")
{
    for (const double constant : {5.0, 20.0, 80.0, 320.0}) {
        for (const double spread : {0.05, 0.2, 0.4}) {
            for (const double wave : {0.0, 0.3}) {
                SyntheticRun run(2);
                for (int step = 1; step <= 1500; ++step) {
                    for (int rank = 0; rank < 2; ++rank) {
                        const double level =
                            (0.1 + 2.2 * std::exp(-step / constant)) * (1 + wave * std::sin(step / 17.0));
                        run.add(rank, "loss", step, step * 0.1, level * (1 + spread * noise(rank, step)));
                    }
                }
                CAPTURE(constant);
                CAPTURE(spread);
                CAPTURE(wave);
                CHECK(foundIn(run.report()).empty());
            }
        }
    }
}

TEST_CASE("spike on one rank names it")
{
    const SyntheticRun run = lossRun(4, 1000, [](int rank, int step) {
        return healthy(rank, step) + (rank == 2 && step >= 600 && step < 610 ? 9.0 : 0.0);
    });
    const auto findings = findingsOf(run.report(), "loss-spike");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rank == 2);
}

TEST_CASE("a loss that stays high, but not very, is one spike up to its end")
{
    const SyntheticRun run =
        lossRun(1, 500, [](int rank, int step) { return step < 300 ? healthy(rank, step) : 9.0 + 0.001 * step; });
    const auto findings = findingsOf(run.report(), "loss-spike");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].window.fromStep == 300);
    CHECK(findings[0].window.toStep == 500);
    CHECK(resultOf(run.report(), "diverged").verdict == Verdict::Clear);
}

TEST_CASE("a loss that ends orders of magnitude above its lowest has diverged, and is no spike")
{
    const SyntheticRun run =
        lossRun(2, 500, [](int rank, int step) { return step < 300 ? healthy(rank, step) : 1e10; });
    CHECK(foundIn(run.report()) == "diverged");
    const Finding finding = findingsOf(run.report(), "diverged").front();
    CHECK(finding.severity == Severity::Problem);
    CHECK(finding.window.fromStep == 300);
    CHECK(finding.window.toStep == 500);
    CHECK(finding.sentence.starts_with("the loss rises from 0."));
    CHECK(finding.sentence.ends_with("from step 300 on"));
    CHECK(finding.sentence.find(" to 1e+10, and exceeds ") != std::string::npos);
}

TEST_CASE("the lowest and highest loss of a divergence are those of the curve, not medians")
{
    const SyntheticRun run = lossRun(1, 60, [](int, int step) {
        return step == 5 ? 0.25 : step < 30 ? 1.0 : 1e4 * std::pow(2.0, step - 30);
    });
    const Finding finding = findingsOf(run.report(), "diverged").front();
    CHECK(finding.sentence == "the loss rises from 0.25 to 1.07e+13, and exceeds 100 from step 30 on");
}

TEST_CASE("a loss that only one of several ranks reports is said to be that rank's")
{
    SyntheticRun run(2);
    for (int step = 1; step <= 500; ++step)
        run.add(0, "loss", step, step * 0.1, step < 300 ? healthy(0, step) : 1e10);
    CHECK(findingsOf(run.report(), "diverged").front().rank == 0);
    SyntheticRun spiked(2);
    for (int step = 1; step <= 1000; ++step)
        spiked.add(1, "loss", step, step * 0.1, healthy(1, step) + (step >= 600 && step < 610 ? 4.0 : 0.0));
    const Finding spike = findingsOf(spiked.report(), "loss-spike").front();
    CHECK(spike.rank == 1);
    CHECK(spike.sentence.find("rank") == std::string::npos);
}

TEST_CASE("a loss that explodes from the first step on has diverged")
{
    const SyntheticRun run = lossRun(1, 60, [](int, int step) { return 2.3 * std::pow(1.5, step); });
    CHECK(foundIn(run.report()) == "diverged");
    const SyntheticRun shorter = lossRun(1, 5, [](int, int step) { return 2.3 * std::pow(10.0, step); });
    CHECK(resultOf(shorter.report(), "diverged").verdict == Verdict::NotEnoughData);
}

TEST_CASE("a few epochs are enough for a loss that ends very far above its lowest")
{
    const SyntheticRun run = lossRun(1, 12, [](int, int step) { return step < 5 ? 0.9 - 0.1 * step : 1e10; });
    CHECK(foundIn(run.report()) == "diverged");
    const SyntheticRun rising = lossRun(1, 12, [](int, int step) { return step < 5 ? 0.9 - 0.1 * step : 100.0; });
    CHECK(resultOf(rising.report(), "diverged").verdict == Verdict::Clear);
}

TEST_CASE("an earlier spike is found in addition to a divergence")
{
    const SyntheticRun run = lossRun(2, 1000, [](int rank, int step) {
        return step >= 800 ? 1e10 : healthy(rank, step) + (step >= 400 && step < 410 ? 4.0 : 0.0);
    });
    CHECK(foundIn(run.report()) == "diverged loss-spike");
    CHECK(findingsOf(run.report(), "loss-spike").front().window.fromStep == 400);
}

TEST_CASE("a small loss that scatters, and one that returns, have not diverged")
{
    // Below its start, although 1,000 times its lowest.
    CHECK(resultOf(lossRun(1, 400, [](int, int step) { return step < 200   ? 2.0
                                                              : step < 300 ? 1e-5
                                                                           : 1e-2; }).report(),
                   "diverged")
              .verdict
          == Verdict::Clear);
    CHECK(resultOf(
              lossRun(1, 400, [](int rank, int step) { return step >= 200 && step < 300 ? 1e6 : healthy(rank, step); })
                  .report(),
              "diverged")
              .verdict
          == Verdict::Clear);
    // Losses below zero.
    CHECK(resultOf(lossRun(1, 400, [](int, int step) { return 4.0 - 0.02 * step; }).report(), "diverged").verdict
          == Verdict::Clear);
    CHECK(resultOf(lossRun(1, 400, [](int, int step) { return step < 300 ? -2.0 : 1e5; }).report(), "diverged").verdict
          == Verdict::Found);
}

TEST_CASE("constant loss, short loss and one sample have no spike")
{
    CHECK(resultOf(lossRun(2, 300, [](int, int) { return 0.0; }).report(), "loss-spike").verdict == Verdict::Clear);
    CHECK(resultOf(lossRun(2, 10, healthy).report(), "loss-spike").verdict == Verdict::NotEnoughData);
    CHECK(resultOf(lossRun(2, 1, healthy).report(), "loss-spike").verdict == Verdict::NotEnoughData);
    CHECK(resultOf(SyntheticRun(2).report(), "loss-spike").missing == "no rank reports loss");
    CHECK(resultOf(SyntheticRun(2).report(), "not-finite").verdict == Verdict::NotEnoughData);
}

TEST_CASE("the first non-finite rank and step are named")
{
    SyntheticRun run = lossRun(3, 1000, [](int rank, int step) {
        return (rank == 1 && step >= 500) || step >= 502 ? notANumber : healthy(rank, step);
    });
    for (int rank = 0; rank < 3; ++rank)
        run.add(rank, "grad_norm", 500, 50, notANumber);  // of all ranks at once: the loss is the cause
    const auto findings = findingsOf(run.report(), "not-finite");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].rank == 1);
    CHECK(findings[0].window.fromStep == 500);
    CHECK(findings[0].severity == Severity::Problem);
    CHECK(findings[0].sentence == "loss is NaN on rank 1 at step 500");
}

TEST_CASE("a trial with one rank does not name it")
{
    const SyntheticRun run =
        lossRun(1, 30, [](int rank, int step) { return step == 30 ? notANumber : healthy(rank, step); });
    const auto findings = findingsOf(run.report(), "not-finite");
    REQUIRE(findings.size() == 1);
    CHECK(!findings[0].rank);
    CHECK(findings[0].sentence == "loss is NaN at step 30");
}

TEST_CASE("a loss that is not finite is found under any name")
{
    SyntheticRun run = lossRun(2, 30, healthy);
    for (int rank = 0; rank < 2; ++rank) {
        run.add(rank, "val/Loss_total", 12, 50, notANumber);
        run.add(rank, "accuracy", 10, 50, notANumber);
    }
    const auto findings = findingsOf(run.report(), "not-finite");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].sentence == "val/Loss_total is NaN on ranks 0 and 1 at step 12");
}

TEST_CASE("infinite loss on all ranks names no single one")
{
    const SyntheticRun run = lossRun(2, 30, [](int rank, int step) {
        return step == 30 ? -std::numeric_limits<double>::infinity() : healthy(rank, step);
    });
    const auto findings = findingsOf(run.report(), "not-finite");
    REQUIRE(findings.size() == 1);
    CHECK(!findings[0].rank);
    CHECK(findings[0].sentence == "loss is infinite on ranks 0 and 1 at step 30");
}

TEST_CASE("loss that is NaN from the first step on is found, but not as a spike")
{
    const SyntheticRun run = lossRun(2, 300, [](int, int) { return notANumber; });
    CHECK(foundIn(run.report()) == "not-finite");
}

TEST_CASE("steps without a finite loss do not shift the spike")
{
    const SyntheticRun run = lossRun(2, 1000, [](int rank, int step) {
        return step < 100 ? notANumber : healthy(rank, step) + (step >= 600 && step < 610 ? 4.0 : 0.0);
    });
    const auto findings = findingsOf(run.report(), "loss-spike");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].window.fromStep == 600);
    CHECK(findings[0].window.toStep == 609);
}

TEST_CASE("a divergence is found in every loss, and in an objective that is minimized")
{
    const auto runOf = [](const std::string &name) {
        SyntheticRun run(1);
        for (int step = 1; step <= 100; ++step) {
            run.add(0, "accuracy", step, step * 0.1, 0.5);
            run.add(0, name, step, step * 0.1, step < 60 ? 2.0 / step : 1e6);
        }
        return run;
    };
    for (const std::string name : {"val/loss", "train_loss", "Loss"}) {
        CAPTURE(name);
        const auto findings = findingsOf(runOf(name).report(), "diverged");
        REQUIRE(findings.size() == 1);
        CHECK(findings[0].sentence.starts_with(name + " rises from "));
        CHECK(findings[0].window.fromStep == 60);
    }
    for (const std::string name : {"perplexity", "loss_scale"}) {
        SyntheticRun run = runOf(name);
        CHECK(resultOf(run.report(), "diverged").missing == "no rank reports a loss");
        run.evidence().minimized = name;
        CHECK(findingsOf(run.report(), "diverged").size() == 1);
    }
}

TEST_CASE("a minimized objective that is not finite is found")
{
    SyntheticRun run(1);
    for (int step = 1; step <= 20; ++step)
        run.add(0, "perplexity", step, step * 0.1, step == 7 ? notANumber : 3.0);
    CHECK(findingsOf(run.report(), "not-finite").empty());
    run.evidence().minimized = "perplexity";
    const auto findings = findingsOf(run.report(), "not-finite");
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].sentence == "perplexity is NaN at step 7");
}
