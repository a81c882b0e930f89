// simulation [--seconds N] [--seed S] [--mutation NAME]
// simulation --mutations
//
// Runs sweeps with simulated time, agents, disks and users on a real database, one seed after the other, and checks
// invariants after each step. --seed alone runs that one seed and prints the actions of users and faults; with --seconds
// it is the first of many. Every twentieth seed runs twice and must give the same result. --mutation injects a fault that
// violates an invariant; --mutations shows for each of them that the violation is found. Exit codes: 0 all held, 1 an
// invariant broke, 2 a sweep did not end after the last fault, 3 a seed was not reproducible, 4 wrong usage, 5 a mutation
// was not found.
#include "simulation/simulation.h"

#include <QCoreApplication>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

using namespace sweepscope::simulation;

namespace {

enum ExitCode { held = 0, broken = 1, stuck = 2, notReproducible = 3, badUsage = 4, notFound = 5 };

struct Options {
    std::optional<double> seconds;
    std::optional<std::uint64_t> seed;
    MutationInfo mutation{Mutation::None, "", Invariant::SweepEnds};
    bool allMutations = false;
};

std::optional<Options> parse(int argc, char **argv)
{
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        char *end = nullptr;
        if (option == "--mutations") {
            options.allMutations = true;
            continue;
        }
        if (++i == argc)
            return std::nullopt;
        if (option == "--seconds") {
            options.seconds = std::strtod(argv[i], &end);
        } else if (option == "--seed") {
            options.seed = std::strtoull(argv[i], &end, 10);
        } else if (option == "--mutation") {
            const std::optional<MutationInfo> found = mutationFromString(argv[i]);
            if (!found)
                return std::nullopt;
            options.mutation = *found;
            continue;
        }
        if (end == nullptr || end == argv[i] || *end != '\0')
            return std::nullopt;
    }
    return options;
}

void print(std::uint64_t seed, const Outcome &outcome)
{
    for (const std::string &line : outcome.script)
        std::printf("  %s\n", line.c_str());
    for (const Violation &violation : outcome.violations)
        std::printf("seed %llu: %s: %s\n", static_cast<unsigned long long>(seed), toString(violation.invariant).c_str(),
                    violation.detail.c_str());
}

int codeOf(const Outcome &outcome)
{
    if (outcome.violations.empty())
        return held;
    switch (outcome.violations.front().invariant) {
    case Invariant::SweepEnds:
        return stuck;
    case Invariant::SeedsReplay:
    case Invariant::SearchReplays:
        return notReproducible;
    default:
        return broken;
    }
}

/// `twice`: the second run must give the same result.
Outcome run(std::uint64_t seed, Mutation mutation, bool twice)
{
    Outcome outcome = simulate(seed, mutation);
    if (twice && outcome.violations.empty() && simulate(seed, mutation).digest != outcome.digest)
        outcome.violations.push_back({Invariant::SeedsReplay, "a second run came to something else"});
    return outcome;
}

int runSeed(std::uint64_t seed, Mutation mutation)
{
    const Outcome outcome = run(seed, mutation, true);
    print(seed, outcome);
    std::printf("seed %llu: %llu events, %d kills, digest %llx\n", static_cast<unsigned long long>(seed),
                static_cast<unsigned long long>(outcome.events), outcome.kills,
                static_cast<unsigned long long>(outcome.digest));
    return codeOf(outcome);
}

/// Uses all cores: each seed is independent.
int runSeeds(double seconds, std::uint64_t first, Mutation mutation)
{
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const auto elapsed = [start] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    std::mutex mutex;  // guards everything that follows
    std::uint64_t seeds = 0;
    std::uint64_t events = 0;
    std::uint64_t writes = 0;
    int kills = 0;
    std::map<std::uint64_t, Outcome> failed;
    const auto work = [&] {
        std::unique_lock lock(mutex);
        while (elapsed() < seconds && failed.empty()) {
            const std::uint64_t seed = first + seeds++;
            lock.unlock();
            Outcome outcome = run(seed, mutation, seed % 20 == 0);
            lock.lock();
            events += outcome.events + outcome.writes;
            writes += outcome.writes;
            kills += outcome.kills;
            if (codeOf(outcome) != held)
                failed.emplace(seed, std::move(outcome));
        }
    };
    std::vector<std::thread> workers(std::max(1U, std::thread::hardware_concurrency()));
    for (std::thread &worker : workers)
        worker = std::thread(work);
    for (std::thread &worker : workers)
        worker.join();
    if (!failed.empty()) {
        print(failed.begin()->first, failed.begin()->second);
        return codeOf(failed.begin()->second);
    }
    const double time = elapsed();
    std::printf("%llu sweeps, %.0f a minute; %.0f events a second, %llu writes, %d kills; no violation\n",
                static_cast<unsigned long long>(seeds), 60 * static_cast<double>(seeds) / time,
                static_cast<double>(events) / time, static_cast<unsigned long long>(writes), kills);
    return held;
}

/// The first seed at which the mutation has an effect must report its invariant before any other.
bool isFound(const MutationInfo &info)
{
    constexpr std::uint64_t mostSeeds = 300;
    for (std::uint64_t seed = 1; seed <= mostSeeds; ++seed) {
        const Outcome outcome = run(seed, info.mutation, info.violates == Invariant::SeedsReplay);
        if (outcome.violations.empty())
            continue;
        const Violation &first = outcome.violations.front();
        std::printf("%s, seed %llu: %s: %s\n", info.name, static_cast<unsigned long long>(seed),
                    toString(first.invariant).c_str(), first.detail.c_str());
        return first.invariant == info.violates;
    }
    std::printf("%s: no violation\n", info.name);
    return false;
}

}  // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const std::optional<Options> options = parse(argc, argv);
    if (!options) {
        std::fprintf(stderr, "usage: simulation [--seconds N] [--seed S] [--mutation NAME] | --mutations\n");
        for (const MutationInfo &info : mutations())
            std::fprintf(stderr, "  %s: %s\n", info.name, toString(info.violates).c_str());
        return badUsage;
    }
    if (options->allMutations) {
        const auto missed = std::ranges::count_if(mutations(), [](const MutationInfo &info) { return !isFound(info); });
        std::printf("%zu mutations, %td not found as what they are\n", mutations().size(), missed);
        return missed == 0 ? held : notFound;
    }
    if (options->seed && !options->seconds)
        return runSeed(*options->seed, options->mutation.mutation);
    return runSeeds(options->seconds.value_or(10), options->seed.value_or(1), options->mutation.mutation);
}
