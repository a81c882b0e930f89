#include "engine/sweeprun.h"
#include "storefixture.h"
#include "testprogram.h"

using namespace sweepscope;
using namespace sweepscope::engine;
using namespace sweepscope::tests;

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
};

SWEEPSCOPE_TEST(TestSweepRun)
#include "tst_sweeprun.moc"
