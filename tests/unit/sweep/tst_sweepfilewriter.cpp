#include "specs.h"
#include "sweep/dimensionvalues.h"
#include "sweep/keys.h"
#include "sweep/splitmix.h"
#include "sweep/sweepfile.h"
#include "sweep/sweepfileedit.h"
#include "sweep/trialplan.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace sweepscope::sweep;
using namespace sweepscope::sweep::testing;

namespace {

/// Random sweeps: not all are valid, but all can be written.
class SpecMaker {
public:
    explicit SpecMaker(std::uint64_t seed) : m_random(seed) {}

    SweepSpec make()
    {
        SweepSpec spec;
        spec.name = text();
        spec.objective = text();
        spec.goal = chance() ? Goal::Maximize : Goal::Minimize;
        spec.method = chance() ? SearchMethod::Random : SearchMethod::Grid;
        spec.seed = m_random.next() >> 1;
        spec.trials = chance() ? m_random.nextBelow(1000) : 0;
        for (std::uint64_t i = m_random.nextBelow(6); i > 0; --i)
            spec.space.push_back(dimension("p" + std::to_string(i) + (chance() ? " " + text() : "")));
        for (std::uint64_t i = m_random.nextBelow(3); i > 0; --i)
            spec.constraints.push_back({"c" + std::to_string(i) + (chance() ? text() : ""), text()});
        makeRun(spec.run);
        spec.devices.kind = chance() ? DeviceKind::Gpu : chance() ? DeviceKind::Cpu : DeviceKind::Auto;
        spec.devices.perRank = small();
        spec.devices.concurrent = small();
        spec.devices.cpuSlots = chance() ? small() : 0;
        spec.devices.coresPerRank = chance() ? small() : 0;
        spec.devices.affinity = chance() ? CpuAffinity::Off : CpuAffinity::Auto;
        spec.devices.foreign = static_cast<ForeignPolicy>(m_random.nextBelow(3));
        spec.devices.pin = chance() ? std::vector<std::string>{"0", text()} : std::vector<std::string>();
        spec.devices.exclude = chance() ? std::vector<std::string>{text()} : std::vector<std::string>();
        spec.devices.perGpu = chance() ? small() : 0;
        spec.devices.memoryBytes = chance() ? m_random.next() >> 5 : 0;
        if (chance())
            spec.prune = prune();
        if (chance())
            spec.budget = BudgetSection{duration(), duration(), chance() ? std::optional(2.5) : std::nullopt};
        if (chance())
            spec.probe = ProbeSection{text(), duration().value_or(std::chrono::seconds(7))};
        return spec;
    }

private:
    PruneSection prune()
    {
        PruneSection prune;
        prune.method = static_cast<PruneMethod>(m_random.nextBelow(7));
        prune.firstStep = small();
        prune.every = chance() ? small() : 0;
        prune.factor = real();
        prune.maxStep = small();
        prune.percentile = real();
        prune.compare = chance() ? PrunePeers::All : PrunePeers::Completed;
        prune.value = chance() ? PruneValue::Best : PruneValue::Last;
        prune.minTrials = small();
        prune.patience = small();
        prune.minDelta = real();
        prune.above = chance() ? std::optional(real()) : std::nullopt;
        prune.below = chance() ? std::optional(real()) : std::nullopt;
        prune.pValue = real();
        return prune;
    }

    std::optional<std::chrono::seconds> duration()
    {
        return chance() ? std::optional(std::chrono::seconds(m_random.nextBelow(1'000'000))) : std::nullopt;
    }

    bool chance() { return m_random.nextBelow(2) == 0; }
    int small() { return static_cast<int>(m_random.nextBelow(2000)) - 1000; }

    std::string text()
    {
        static const std::vector<std::string> pieces{"a", "Z",  "0",  " ",  "\"",   "\\",   "'",    "{",
                                                     "}", "\n", "\t", "\r", "\x01", "\x1f", "\x7f", "#",
                                                     "=", ".",  "-",  "ä",  "漢",   "🙂", "\\n",  "\"\"\""};
        std::string result;
        for (std::uint64_t i = m_random.nextBelow(8); i > 0; --i)
            result += pieces[m_random.nextBelow(pieces.size())];
        return result;
    }

    double real()
    {
        const double values[] = {
            0.0,         -0.0, 1.0,     0.1,  1e-5,   1e300,   5e-324,
            123456789.0, 1e22, -2.5e-8, 1e16, 100000, 1.0 / 3, std::ldexp(m_random.nextUnit(), 40)};
        return values[m_random.nextBelow(std::size(values))];
    }

    Dimension dimension(std::string name)
    {
        Dimension made;
        made.name = std::move(name);
        made.kind = static_cast<DimensionKind>(m_random.nextBelow(9));
        made.when = chance() ? "x" + text() : "";
        const bool areReal = chance();
        const bool areTexts = chance();
        switch (made.kind) {
        case DimensionKind::List:
            for (std::uint64_t i = m_random.nextBelow(4); i > 0; --i)
                made.values.push_back(areReal ? ParameterValue(real()) : ParameterValue(std::int64_t{small()}));
            break;
        case DimensionKind::Choice:
            for (std::uint64_t i = 1 + m_random.nextBelow(4); i > 0; --i)
                made.values.push_back(areTexts ? ParameterValue(text()) : ParameterValue(chance()));
            break;
        case DimensionKind::Linear:
        case DimensionKind::Log:
            made.low = real();
            made.high = real();
            made.points = chance() ? 1 + static_cast<int>(m_random.nextBelow(100)) : 0;
            break;
        case DimensionKind::Integer:
            made.low = static_cast<double>(small());
            made.high = std::floor(std::ldexp(m_random.nextUnit(), 53));
            made.step = small();
            break;
        case DimensionKind::LogInteger:
            made.low = static_cast<double>(small());
            made.high = std::floor(std::ldexp(m_random.nextUnit(), 53));
            made.points = chance() ? 1 + static_cast<int>(m_random.nextBelow(100)) : 0;
            break;
        case DimensionKind::Normal:
        case DimensionKind::LogNormal:
            setNormal(made, real(), real());
            made.points = chance() ? 1 + static_cast<int>(m_random.nextBelow(100)) : 0;
            break;
        case DimensionKind::Stepped:
            made.low = real();
            made.high = real();
            made.spacing = real();
            break;
        }
        return made;
    }

    void makeRun(RunSection &run)
    {
        run.worker = chance() ? WorkerKind::Command : WorkerKind::Builtin;
        // A built-in worker with a command is invalid and is not written: see the next test.
        for (std::uint64_t i = m_random.nextBelow(4); i > 0 && run.worker == WorkerKind::Command; --i)
            run.command.push_back(text());
        for (const Key &setting : builtinSettings()) {
            if (m_random.nextBelow(4) != 0)
                continue;
            if (setting.type == KeyType::Float)
                run.settings[setting.name] = real();
            else if (setting.type == KeyType::Integer)
                run.settings[setting.name] = std::int64_t{small()};
            else
                run.settings[setting.name] = text();
        }
        for (std::uint64_t i = m_random.nextBelow(3); i > 0; --i)
            run.environment["E" + std::to_string(i) + text()] = text();
        run.environmentFile = chance() ? text() : "";
        run.workingFolder = chance() ? text() : "";
        run.ranks = small();
        run.backend = text();
        if (chance())
            run.timeout = std::chrono::seconds(m_random.nextBelow(10'000'000));
        run.retries = small();
        if (chance())
            makeMetrics(run.metrics.emplace());
        if (chance())
            makePolicy(run.policy);
    }

    void makePolicy(AttemptPolicy &policy)
    {
        policy.hangFactor = real();
        policy.hangAfter = std::chrono::seconds(m_random.nextBelow(10'000));
        policy.exitGrace = std::chrono::seconds(m_random.nextBelow(10'000));
        for (std::uint64_t i = m_random.nextBelow(3); i > 0; --i) {
            RetryRule &rule = policy.retry["k" + std::to_string(i) + text()];
            rule.times = static_cast<int>(m_random.nextBelow(1000));
            if (chance())
                rule.wait = std::chrono::seconds(m_random.nextBelow(10'000));
        }
    }

    void makeMetrics(MetricsSection &metrics)
    {
        metrics.format =
            std::array{OutputFormat::Text, OutputFormat::Json, OutputFormat::Auto}.at(m_random.nextBelow(3));
        metrics.everyRank = chance();
        metrics.step = text();
        for (std::uint64_t i = m_random.nextBelow(3); i > 0; --i)
            metrics.series["s" + std::to_string(i) + text()] = text();
    }

    SplitMix64 m_random;
};

}  // namespace

TEST_CASE("a written sweep reads back the same, whatever it contains")
{
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        const SweepSpec spec = SpecMaker(seed).make();
        const std::string toml = toToml(spec);
        const ParsedSweep parsed = parseSweep(toml);
        INFO(seed << "\n" << toml << "\n" << toToml(parsed.spec));
        REQUIRE((parsed.spec == spec));
        REQUIRE(toToml(parsed.spec) == toml);
    }
}

TEST_CASE("a built-in worker with a command is written too, as the error that it is")
{
    SweepSpec spec = commandSweep({});
    spec.run.worker = WorkerKind::Builtin;
    const ParsedSweep parsed = parseSweep(toToml(spec));
    CHECK((parsed.spec == spec));
    CHECK_FALSE(parsed.problems.empty());
}

TEST_CASE("a written sweep has the same trials")
{
    SweepSpec spec = randomSweep(20, 5,
                                 {range(DimensionKind::Log, "lr", 1e-4, 0.1, 0), integers("n", 1, 9, 2),
                                  choice("opt", {"sgd", "it's \"adam\""}), numbers("m", {0.5, 1e-7}, "opt == 'sgd'")});
    const ParsedSweep parsed = parseSweep(toToml(spec));
    REQUIRE(parsed.problems.empty());
    const auto before = planTrials(spec);
    const auto after = planTrials(parsed.spec);
    REQUIRE(before->size() == after->size());
    for (std::size_t i = 0; i < before->size(); ++i) {
        CHECK((before->at(i).parameters == after->at(i).parameters));
        CHECK(before->at(i).seed == after->at(i).seed);
    }
}

TEST_CASE("gpuListsAreChangedAndCommentsAreKept")
{
    const std::string text = "# of anna\n[sweep]\nname = \"d\"  # digits\nobjective = \"val_loss\"\n[run]\nworker = "
                             "\"builtin\"\n[devices]\nkind = \"gpu\"\npin = [\n"
                             "  \"0\",  # near\n]  # fast\n\n# what is tried\n[space]\nlr = [0.1]\n";
    DevicesSection devices = parseSweep(text).spec.devices;
    CHECK(withGpuLists(text, devices) == text);
    devices.pin = {"GPU-a", "GPU-b"};
    devices.exclude = {"GPU-c"};
    const std::string both = withGpuLists(text, devices);
    CHECK(both
          == "# of anna\n[sweep]\nname = \"d\"  # digits\nobjective = \"val_loss\"\n[run]\nworker = "
             "\"builtin\"\n[devices]\nkind = \"gpu\"\npin = [\"GPU-a\", \"GPU-b\"]  # "
             "fast\nexclude = [\"GPU-c\"]\n\n# what is tried\n[space]\nlr = [0.1]\n");
    devices.pin = {};
    devices.exclude = {};
    CHECK(withGpuLists(both, devices)
          == "# of anna\n[sweep]\nname = \"d\"  # digits\nobjective = \"val_loss\"\n[run]\nworker = "
             "\"builtin\"\n[devices]\nkind = \"gpu\"\n# fast\n\n# what is "
             "tried\n[space]\nlr = [0.1]\n");
    // If the file cannot be edited in place, it is rewritten with the same definition.
    const std::string empty = "devices = {}\n[sweep]\nname = \"d\"\n";
    devices = parseSweep(empty).spec.devices;
    devices.pin = {"GPU-a"};
    CHECK(parseSweep(withGpuLists(empty, devices)).spec.devices.pin == devices.pin);
}
