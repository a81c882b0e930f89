// The same decisions as Optuna 5.0.0, in its setting, and the same probabilities as SciPy 1.17 (peers/record_optuna.py).
#include "pruning/pruner.h"
#include "pruning/signedrank.h"
#include "sweep/splitmix.h"

#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

using namespace sweepscope;
using namespace sweepscope::pruning;
using Json = nlohmann::json;
using sweep::PruneMethod;

namespace {

const Json &recorded()
{
    static const Json json = [] {
        std::ifstream in(PRUNING_PEERS);
        return Json::parse(in);
    }();
    return json;
}

class Dice {
public:
    explicit Dice(std::uint64_t seed) : m_random(seed) {}
    int below(int count) { return static_cast<int>(m_random.next() % static_cast<std::uint64_t>(count)); }

private:
    sweep::SplitMix64 m_random;
};

struct RunningTrial {
    int number = 0;
    std::vector<double> values;
    int step = 0;
    double best = std::numeric_limits<double>::quiet_NaN();
};

/// As values_of() and sweep() of the script.
class PeerSweep {
public:
    PeerSweep(const std::string &rule, const Json &settings)
        : m_rule(rule),
          m_settings(settings),
          m_dice(settings["seed"]),
          m_pruned(recorded()["trials"].get<std::size_t>())
    {
        m_isMaximized = m_dice.below(2) == 1;
        m_digits = m_dice.below(3);
        m_dice.below(4);
        m_dice.below(3);
        readSettings();
    }

    std::vector<int> run()
    {
        const sweep::Goal goal = m_isMaximized ? sweep::Goal::Maximize : sweep::Goal::Minimize;
        Pruner pruner(m_prune, m_comparison, goal, 0);
        const Rungs rungs(m_prune);
        const int trials = recorded()["trials"];
        const int steps = recorded()["steps"];
        const int workers = recorded()["workers"];
        std::vector<RunningTrial> running;
        for (int started = 0; started < trials || !running.empty();) {
            if (started < trials && static_cast<int>(running.size()) < workers) {
                running.push_back({++started, values(steps)});
                continue;
            }
            const auto place = running.begin() + m_dice.below(static_cast<int>(running.size()));
            const double value = place->values[static_cast<std::size_t>(place->step++)];
            if (std::isnan(place->best) || (m_isMaximized ? value > place->best : value < place->best))
                place->best = value;
            if (const auto rung = rungs.upTo(place->step); rung == place->step) {
                (void)pruner.reached(place->number, {*rung, place->best, value});
                if (pruner.verdict(place->number, *rung).reason) {
                    m_pruned[static_cast<std::size_t>(place->number - 1)] = place->step;
                    running.erase(place);
                    continue;
                }
            }
            if (place->step == steps) {
                const double sum = std::accumulate(place->values.begin(), place->values.end(), 0.0);
                pruner.completed(place->number, m_rule == "wilcoxon" ? sum / steps : place->values.back());
                running.erase(place);
            }
        }
        return m_pruned;
    }

private:
    void readSettings()
    {
        m_prune.firstStep = m_settings.value("first", 1);
        m_prune.every = m_settings.value("every", 1);
        if (m_rule == "percentile") {
            m_dice.below(90);
            m_dice.below(4);
            m_prune.method = PruneMethod::Percentile;
            m_comparison = {sweep::PrunePeers::Completed,    sweep::PruneValue::Best,
                            sweep::PruneValue::Last,         m_settings["percentile"].get<double>() / 100,
                            Comparison::Limit::Interpolated, m_settings["min_trials"]};
        } else if (m_rule == "halving") {
            m_dice.below(3);
            m_prune.method = PruneMethod::Halving;
            m_prune.factor = m_settings["factor"];
            m_comparison = {sweep::PrunePeers::All, sweep::PruneValue::Last,  sweep::PruneValue::Last,
                            1 / m_prune.factor,     Comparison::Limit::Floor, 1};
        } else if (m_rule == "patience") {
            m_dice.below(5);
            m_prune.method = PruneMethod::Patience;
            m_prune.patience = m_settings["patience"];
            m_prune.minDelta = -1e-9;  // Optuna goes on when a new best is equal to the old one
        } else if (m_rule == "threshold") {
            m_dice.below(2000);
            m_dice.below(300);
            m_prune.method = PruneMethod::Threshold;
            m_prune.above = m_settings["above"];
            m_prune.below = m_settings["below"];
        } else {
            m_dice.below(40);
            m_prune.method = PruneMethod::Wilcoxon;
            m_prune.pValue = m_settings["p_value"];
        }
    }

    std::vector<double> values(int steps)
    {
        const int level = m_dice.below(1000);
        const int noise = 1 + m_dice.below(300);
        const int scale = m_digits == 0 ? 1 : m_digits == 1 ? 10 : 100;
        std::vector<double> curve;
        for (int step = 0; step < steps; ++step)
            curve.push_back((level + 4000 / (step + 1) + m_dice.below(noise)) / scale * scale / 1000.0);
        return curve;
    }

    std::string m_rule;
    const Json &m_settings;
    Dice m_dice;
    bool m_isMaximized = false;
    int m_digits = 0;
    sweep::PruneSection m_prune;
    Comparison m_comparison;
    std::vector<int> m_pruned;
};

}  // namespace

TEST_CASE("the rules end the same trials at the same steps as Optuna's pruners")
{
    for (const char *const rule : {"percentile", "halving", "patience", "threshold", "wilcoxon"}) {
        int ended = 0;
        CHECK(recorded()[rule].size() == (rule == std::string("wilcoxon") ? 60 : 500));
        for (const Json &settings : recorded()[rule]) {
            const auto expected = settings["pruned"].get<std::vector<int>>();
            INFO(rule << ' ' << settings.dump());
            CHECK(PeerSweep(rule, settings).run() == expected);
            ended += static_cast<int>(expected.size() - std::ranges::count(expected, 0));
        }
        CHECK(ended > static_cast<int>(recorded()[rule].size()));
    }
}

TEST_CASE("probabilities of signed ranks are SciPy's, with ties and zeros, and around the ends of the exact methods")
{
    int compared = 0;
    for (const Json &entry : recorded()["signed_rank"]) {
        Dice dice(entry["seed"]);
        constexpr std::array counts{2, 5, 13, 14, 30, 49, 50, 51, 80};
        constexpr std::array spreads{3, 20, 1'000'000};
        const int count = counts[static_cast<std::size_t>(dice.below(9))];
        const int spread = spreads[static_cast<std::size_t>(dice.below(3))];
        std::vector<double> differences;
        for (int i = 0; i < count; ++i)
            differences.push_back(dice.below(2 * spread + 1) - spread + spread / 5);
        if (entry["p"].is_null())
            continue;
        INFO(entry.dump());
        CHECK(signedRankProbability(differences) == doctest::Approx(entry["p"].get<double>()).epsilon(1e-12));
        ++compared;
    }
    CHECK(compared > 250);
}
