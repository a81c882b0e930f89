#include "ui/editor/allocationplanner.h"

#include "sweep/budgetuse.h"
#include "sweep/editplan.h"
#include "sweep/launchpreparation.h"
#include "sweep/sweepfile.h"
#include "wording/sentence.h"

namespace sweepscope::ui {
using namespace std::chrono_literals;

namespace {

constexpr auto lookHolds = 5s;  ///< asking drivers takes a second; keys come faster
constexpr std::size_t mostTrialsShown = 200;

/// nullopt: the sweep cannot have this definition, or has ended and would not run again; as a new sweep it can be started.
std::optional<schedule::SweepSoFar> soFarOf(schedule::FinishedSweep sweep, const sweep::SweepSpec &after)
{
    schedule::SweepSoFar soFar{sweep::parseSweep(sweep.first.toml).spec, std::move(sweep.second), {}, wallNow()};
    std::vector<const sweep::TrialRecord *> trials;
    trials.reserve(soFar.trials.size());
    for (const sweep::TrialRecord &trial : soFar.trials)
        trials.push_back(&trial);
    const sweep::BudgetUse used = sweep::budgetUse(sweep.first, soFar.spec, soFar.trials, soFar.now);
    auto edit = sweep::planEdit(soFar.spec, after, trials, sweep::spentBudget(after.budget, used));
    if (!edit)
        return std::nullopt;
    soFar.edit = std::move(*edit);
    const bool runs = sweep::isActive(sweep.first.state) || !(soFar.edit.added.empty() && soFar.edit.restored.empty());
    return runs ? std::optional(std::move(soFar)) : std::nullopt;
}

}  // namespace

struct AllocationPlanner::Seen {
    schedule::MachineNow machine;
    std::optional<std::chrono::steady_clock::time_point> when;
};

AllocationPlanner::AllocationPlanner(QObject *parent)
    : QObject(parent), m_seen(std::make_shared<Seen>()), m_look(&schedule::lookAtMachine), m_job(150ms, this)
{}

void AllocationPlanner::setLook(Look look)
{
    m_look = std::move(look);
    m_seen = std::make_shared<Seen>();
}

void AllocationPlanner::request(const sweep::SweepSpec &spec)
{
    m_spec = spec;
    std::vector<schedule::FinishedSweep> history = m_history ? m_history() : std::vector<schedule::FinishedSweep>();
    const std::optional<schedule::FinishedSweep> launched = m_launched ? m_launched() : std::nullopt;
    const std::filesystem::path workspace = m_workspace ? m_workspace() : std::filesystem::path();
    m_job.request([this, spec, workspace, history = std::move(history), launched, seen = m_seen,
                   look = m_look]() -> std::function<void()> {
        const auto now = std::chrono::steady_clock::now();
        if (!seen->when || now - *seen->when > lookHolds) {
            seen->machine = look();
            seen->when = std::chrono::steady_clock::now();
        }
        sweep::SweepSpec resolved = spec;
        sweep::resolveForLaunch(resolved);
        auto preview = std::make_shared<AllocationPreview>();
        std::error_code unknown;
        const auto soFar = launched ? soFarOf(*launched, resolved) : std::nullopt;
        auto basis = soFar ? schedule::ownTimeBasis(resolved, *soFar) : std::nullopt;
        if (!basis)
            basis = schedule::timeBasis(resolved, history);
        auto plan = schedule::planSweep(resolved, seen->machine, basis, mostTrialsShown,
                                        std::filesystem::weakly_canonical(workspace, unknown), soFar);
        if (soFar && !soFar->edit.changes.empty())
            preview->edit = sweep::trialFacts(soFar->edit);
        preview->isPaused = launched && launched->first.state == sweep::SweepState::Paused;
        if (plan)
            preview->plan = std::move(*plan);
        else
            preview->impossible = QString::fromStdString(wording::clause(plan.error()));
        preview->devices = seen->machine.devices;
        preview->note = QString::fromStdString(seen->machine.note);
        return [this, preview] {
            m_preview = preview;
            Q_EMIT planned();
        };
    });
}

void AllocationPlanner::repeat()
{
    m_seen = std::make_shared<Seen>();
    if (m_spec)
        request(*m_spec);
}

void AllocationPlanner::drop()
{
    m_spec.reset();
    m_preview.reset();
    m_job.drop();
}

}  // namespace sweepscope::ui
