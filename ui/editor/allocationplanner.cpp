#include "ui/editor/allocationplanner.h"

#include "base/workspacelayout.h"
#include "launch/energyfile.h"
#include "sweep/budgetuse.h"
#include "sweep/editplan.h"
#include "sweep/launchpreparation.h"
#include "sweep/stoprule.h"
#include "sweep/sweepfile.h"
#include "wording/sentence.h"

namespace sweepscope::ui {
using namespace std::chrono_literals;

namespace {

constexpr auto machineLifetime = 5s;  ///< querying drivers takes a second, too long for every keystroke
constexpr std::size_t mostTrialsShown = 200;

/// Returns nullopt if the sweep cannot get this definition, or has ended and would not run again: then the plan is that
/// of a new sweep.
std::optional<schedule::SweepSoFar> soFarOf(schedule::FinishedSweep sweep, const sweep::SweepSpec &after,
                                            const std::filesystem::path &workspace)
{
    schedule::SweepSoFar soFar{sweep::parseSweep(sweep.first.toml).spec, std::move(sweep.second), {}, wallNow()};
    std::vector<const sweep::TrialRecord *> trials;
    trials.reserve(soFar.trials.size());
    for (const sweep::TrialRecord &trial : soFar.trials)
        trials.push_back(&trial);
    sweep::BudgetUse used = sweep::budgetUse(sweep.first, soFar.spec, soFar.trials, soFar.now);
    const std::filesystem::path folder = WorkspaceLayout{workspace}.sweepFolder(sweep.first.folder);
    if (const auto energy = launch::readEnergy(launch::energyFile(folder)).known())
        used.kilowattHours = energy->joules / series::joulesPerKilowattHour;
    std::optional<facts::Fact> spent = sweep::spentBudget(after.budget, used);
    if (!spent)
        spent = sweep::appliedStopRule(after, trials);
    auto edit = sweep::planEdit(soFar.spec, after, trials, spent);
    if (!edit)
        return std::nullopt;
    soFar.edit = std::move(*edit);
    const bool runs = sweep::isActive(sweep.first.state) || soFar.edit.runsAgain();
    return runs ? std::optional(std::move(soFar)) : std::nullopt;
}

}  // namespace

struct AllocationPlanner::Seen {
    schedule::MachineNow machine;
    std::optional<std::chrono::steady_clock::time_point> when;
};

AllocationPlanner::AllocationPlanner(QObject *parent)
    : QObject(parent), m_seen(std::make_shared<Seen>()), m_readMachine(&schedule::readMachine), m_job(150ms, this)
{}

void AllocationPlanner::setMachineReader(MachineReader readMachine)
{
    m_readMachine = std::move(readMachine);
    m_seen = std::make_shared<Seen>();
}

void AllocationPlanner::request(const sweep::SweepSpec &spec)
{
    m_spec = spec;
    std::vector<schedule::FinishedSweep> history = m_history ? m_history() : std::vector<schedule::FinishedSweep>();
    const std::optional<schedule::FinishedSweep> launched = m_launched ? m_launched() : std::nullopt;
    const std::filesystem::path workspace = m_workspace ? m_workspace() : std::filesystem::path();
    auto others = m_others ? m_others() : std::map<std::string, schedule::OtherMachine>();
    m_job.request([this, spec, workspace, others = std::move(others), history = std::move(history), launched,
                   seen = m_seen, readMachine = m_readMachine]() -> std::function<void()> {
        const auto now = std::chrono::steady_clock::now();
        if (!seen->when || now - *seen->when > machineLifetime) {
            seen->machine = readMachine();
            seen->when = std::chrono::steady_clock::now();
        }
        seen->machine.others = others;
        sweep::SweepSpec resolved = spec;
        sweep::resolveForLaunch(resolved);
        auto preview = std::make_shared<AllocationPreview>();
        std::error_code unknown;
        const auto soFar = launched ? soFarOf(*launched, resolved, workspace) : std::nullopt;
        auto basis = soFar ? schedule::ownTimeBasis(resolved, *soFar) : std::nullopt;
        if (!basis)
            basis = schedule::timeBasis(resolved, history);
        auto plan = schedule::planSweep(resolved, seen->machine, basis, mostTrialsShown,
                                        std::filesystem::weakly_canonical(workspace, unknown), soFar);
        if (soFar && !soFar->edit.changes.empty())
            preview->edit = sweep::trialFacts(soFar->edit);
        preview->isOfNextStart = launched && !soFar;
        preview->isPaused = launched && launched->first.state == sweep::SweepState::Paused;
        if (plan)
            preview->plan = std::move(*plan);
        else
            preview->impossible = QString::fromStdString(wording::clause(plan.error()));
        preview->spec = spec;
        preview->devices = schedule::allDevices(seen->machine);
        preview->memoryBytes = seen->machine.memoryBytes;
        preview->note = QString::fromStdString(seen->machine.note);
        preview->conditions = seen->machine.conditions;
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
