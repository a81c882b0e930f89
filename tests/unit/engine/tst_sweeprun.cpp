#include "engine/sweeprun.h"
#include "storefixture.h"
#include "testprogram.h"
#include "wording/sentence.h"

using namespace sweepscope;
using namespace sweepscope::engine;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;

namespace {

/// Launches nothing.
class NoLauncher : public AttemptLauncher {
public:
    int nextAttempt(const sweep::SweepRecord &, const sweep::TrialRecord &trial) const override
    {
        return trial.attempts + 1;
    }
    std::string makeAttemptId(const sweep::SweepRecord &, int, int) const override { return "id"; }
    Expected<std::optional<launch::ProcessIdentity>> start(const sweep::SweepRecord &, const sweep::SweepSpec &,
                                                           const sweep::TrialRecord &, const std::string &,
                                                           const schedule::Allocation &, std::span<const int>) override
    {
        return makeError(ErrorCode::Io, "no agent");
    }
    std::unique_ptr<AttemptObserver> observe(const sweep::SweepRecord &, const sweep::SweepSpec &,
                                             const sweep::TrialRecord &, const AttemptRow &, ReportedPast) override
    {
        return nullptr;
    }
    std::vector<std::vector<int>> cpusOf(const sweep::SweepRecord &, const AttemptRow &) const override { return {}; }
    void tidyAfter(const sweep::SweepRecord &, int, int) const override {}
};

/// Of an agent that runs on until it is stopped.
class OtherObserver : public AttemptObserver {
public:
    explicit OtherObserver(const std::optional<AgentSilence> &silence) : m_silence(silence) {}

    void poll(WallNs) override {}
    void stop(WallNs) override { m_isStopped = true; }
    void kill(WallNs) override {}
    void saveAndEnd() override {}
    void freeze() override {}
    void thaw() override {}
    Expected<void> requestTrace(const sweep::TraceRequest &) override { return {}; }
    Expected<void> readOutput(const output::MetricsSection &) override { return {}; }
    void judgeBy(const sweep::SweepSpec &, ReportedPast) override {}
    void moveWaits(WallNs) override {}
    void failToStart(AttemptEnd, facts::Fact, WallNs) override {}
    bool ranksStarted() const override { return true; }
    bool stopRequested() const override { return m_isStopped; }
    const std::optional<launch::ProcessIdentity> &agent() const override { return m_agent; }
    const ObjectiveTracker &objective() const override { return m_objective; }
    std::vector<pruning::RungValue> takeReachedRungs() override { return {}; }
    const std::optional<AttemptVerdict> &verdict() const override { return m_verdict; }
    std::optional<AgentSilence> silence() const override { return m_silence; }
    std::string takeWarning() override { return {}; }

private:
    const std::optional<AgentSilence> &m_silence;
    std::optional<launch::ProcessIdentity> m_agent;
    std::optional<AttemptVerdict> m_verdict;
    ObjectiveTracker m_objective{"val_loss", sweep::Goal::Maximize, std::nullopt, {}};
    bool m_isStopped = false;
};

class OtherLauncher : public NoLauncher {
public:
    std::optional<AgentSilence> silence;  ///< of all agents

    std::string makeAttemptId(const sweep::SweepRecord &, int trial, int) const override
    {
        return "id" + std::to_string(trial);
    }

    Expected<std::optional<launch::ProcessIdentity>> start(const sweep::SweepRecord &, const sweep::SweepSpec &,
                                                           const sweep::TrialRecord &, const std::string &,
                                                           const schedule::Allocation &, std::span<const int>) override
    {
        return std::nullopt;
    }
    std::unique_ptr<AttemptObserver> observe(const sweep::SweepRecord &, const sweep::SweepSpec &,
                                             const sweep::TrialRecord &, const AttemptRow &, ReportedPast) override
    {
        return std::make_unique<OtherObserver>(silence);
    }
};

class NoSuggester : public Suggester {
public:
    void request(SuggestionRequest) override {}
    void request(VerdictRequest) override {}
    void remove(std::int64_t) override {}
};

class NoListener : public ChangeListener {
public:
    void sweepChanged(std::int64_t) override {}
    void trialsChanged(std::int64_t, int, int) override {}
    void devicesChanged() override {}
    void note(const std::string &) override {}
};

}  // namespace

/// A sweep with its database but without processes. Its decisions are tested in tst_decisions.cpp and by
/// tests/simulation.
class TestSweepRun : public StoreFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { open(); }
    void cleanup() { close(); }

    void nothingStartsAfterTheBudgetIsExhausted()
    {
        sweep::SweepRecord record = newSweep();
        auto trials = m_store->insertSweep(record, plans(2), fine);
        QVERIFY(trials.has_value());
        sweep::SweepSpec spec;
        spec.budget = sweep::BudgetSection{std::chrono::seconds(10), std::nullopt};
        schedule::Scheduler scheduler({});
        NoLauncher launcher;
        NoSuggester suggester;
        NoListener listener;
        SweepRun run({*m_store, scheduler, launcher, suggester, listener}, record, spec, std::move(*trials));
        constexpr WallNs second = 1'000'000'000;
        QCOMPARE(run.demand(record.created + 9 * second).next.trial.number, 1);
        QCOMPARE(run.demand(record.created + 10 * second).next.trial.number, 0);  // between two polls
        run.poll(record.created + 10 * second);
        QVERIFY(run.trials().front().record.state == sweep::TrialState::Stopped);
    }

    void anUnreachableMachineIsNamedByItsTrialsAndOnceBySweep()
    {
        sweep::SweepRecord record = newSweep();
        auto trials = m_store->insertSweep(record, plans(2), fine);
        QVERIFY(trials.has_value());
        schedule::Scheduler scheduler({});
        OtherLauncher launcher;
        NoSuggester suggester;
        NoListener listener;
        SweepRun run({*m_store, scheduler, launcher, suggester, listener}, record, {}, std::move(*trials));
        WallNs now = record.created;
        for (const int number : {1, 2}) {
            schedule::TrialStart start;
            start.sweepId = record.id;
            start.trial = number;
            start.devices.perRank = {{"cpu:0@gpu1"}};
            run.start(start, now);
        }
        const auto reason = [&run](int number) {
            return QString::fromStdString(
                wording::sentence(run.trials()[static_cast<std::size_t>(number - 1)].record.reason));
        };
        launcher.silence = AgentSilence{false, true};
        run.poll(++now);
        QCOMPARE(reason(1), u"No connection to gpu1, where the trial keeps running"_s);
        QCOMPARE(run.record().warnings.size(), 1U);
        QCOMPARE(QString::fromStdString(wording::sentence(run.record().warnings.front())),
                 u"No connection to gpu1; 2 trials keep running there (1, 2)"_s);
        sweep::Control stop;
        stop.action = sweep::Control::Action::Stop;
        stop.trials = {2};
        QVERIFY(run.control(stop, ++now).has_value());
        run.poll(++now);
        QCOMPARE(reason(2), u"Stops when the connection to gpu1 is back"_s);
        launcher.silence.reset();
        run.poll(++now);
        QCOMPARE(reason(1), QString());
        QCOMPARE(reason(2), u"Stopping"_s);
        QVERIFY(run.record().warnings.empty());
    }
};

SWEEPSCOPE_TEST(TestSweepRun)
#include "tst_sweeprun.moc"
