// simulation [--seconds N] [--seed S]
//
// Runs sweeps with simulated time, agents, disks and people, one seed after the other, and checks invariants after each
// step. --seed runs that one seed and prints what people and faults did. Every twentieth seed runs twice and must come to
// the same. Exit codes: 0 all held, 1 an invariant broke, 2 a sweep did not end after the last fault, 3 a seed was not
// reproducible, 4 wrong usage.
#include "simulation/simulation.h"

#include <QCoreApplication>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

using namespace sweepscope::simulation;

namespace {

enum ExitCode { held = 0, broken = 1, stuck = 2, notReproducible = 3, badUsage = 4 };

void printFailure(std::uint64_t seed, const Outcome &outcome, bool withScript)
{
    for (const std::string &violation : outcome.violations)
        std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), violation.c_str());
    if (!outcome.stuck.empty())
        std::printf("seed %llu: it does not end: %s\n", static_cast<unsigned long long>(seed), outcome.stuck.c_str());
    if (withScript) {
        for (const std::string &line : outcome.script)
            std::printf("  %s\n", line.c_str());
    }
}

int codeOf(const Outcome &outcome)
{
    if (!outcome.violations.empty())
        return broken;
    return outcome.stuck.empty() ? held : stuck;
}

}  // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    double seconds = 10;
    std::optional<std::uint64_t> only;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        if (option == "--seconds" && i + 1 < argc)
            seconds = std::atof(argv[++i]);
        else if (option == "--seed" && i + 1 < argc)
            only = std::strtoull(argv[++i], nullptr, 10);
        else {
            std::fprintf(stderr, "usage: simulation [--seconds N] [--seed S]\n");
            return badUsage;
        }
    }
    if (only) {
        const Outcome outcome = simulate(*only);
        printFailure(*only, outcome, true);
        std::printf("seed %llu: %llu events, %d kills, digest %llx\n", static_cast<unsigned long long>(*only),
                    static_cast<unsigned long long>(outcome.events), outcome.kills,
                    static_cast<unsigned long long>(outcome.digest));
        return codeOf(outcome);
    }
    const auto start = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    std::uint64_t seed = 0;
    std::uint64_t events = 0;
    std::uint64_t writes = 0;
    int kills = 0;
    while (elapsed() < seconds) {
        const Outcome outcome = simulate(++seed);
        events += outcome.events + outcome.writes;
        writes += outcome.writes;
        kills += outcome.kills;
        if (const int code = codeOf(outcome); code != held) {
            printFailure(seed, outcome, true);
            return code;
        }
        if (seed % 20 == 0 && simulate(seed).digest != outcome.digest) {
            std::printf("seed %llu is not reproducible\n", static_cast<unsigned long long>(seed));
            return notReproducible;
        }
    }
    const double time = elapsed();
    std::printf("%llu sweeps, %.0f a second; %.0f events a second, %llu writes, %d kills; no violation\n",
                static_cast<unsigned long long>(seed), static_cast<double>(seed) / time,
                static_cast<double>(events) / time, static_cast<unsigned long long>(writes), kills);
    return held;
}
