#include "ui/editor/allocationplanner.h"

#include "sweep/launchpreparation.h"
#include "sweep/sweepfile.h"

namespace sweepscope::ui {
using namespace std::chrono_literals;

namespace {

constexpr auto lookHolds = 5s;  ///< asking drivers takes a second; keys come faster
constexpr std::size_t mostTrialsShown = 200;

schedule::SweepSoFar soFarOf(schedule::FinishedSweep sweep)
{
    return {sweep::parseSweep(sweep.first.toml).spec, std::move(sweep.second), wallNow()};
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
    const std::optional<schedule::FinishedSweep> underWay = m_underWay ? m_underWay() : std::nullopt;
    const std::filesystem::path workspace = m_workspace ? m_workspace() : std::filesystem::path();
    m_job.request([this, spec, workspace, history = std::move(history), underWay, seen = m_seen,
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
        const auto soFar = underWay ? std::optional(soFarOf(*underWay)) : std::nullopt;
        auto basis = soFar ? schedule::ownTimeBasis(resolved, *soFar) : std::nullopt;
        if (!basis)
            basis = schedule::timeBasis(resolved, history);
        auto plan = schedule::planSweep(resolved, seen->machine, basis, mostTrialsShown,
                                        std::filesystem::weakly_canonical(workspace, unknown), soFar);
        preview->isPaused = underWay && underWay->first.state == sweep::SweepState::Paused;
        if (plan)
            preview->plan = std::move(*plan);
        else
            preview->impossible = QString::fromStdString(plan.error().message);
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
