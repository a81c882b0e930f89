#include "ui/editor/memoryplanner.h"

#include "base/builtworker.h"
#include "sweep/command.h"
#include "sweep/launchpreparation.h"
#include "wording/sentence.h"

#include <map>
#include <vector>

namespace sweepscope::ui {
using namespace std::chrono_literals;

namespace {

constexpr auto pauseInTyping = 700ms;
constexpr std::size_t mostMeasured = 64;

QStringList linesOf(const Expected<schedule::MemoryPlan> &plan)
{
    QStringList lines;
    if (!plan) {
        if (plan.error().code != ErrorCode::Unsupported)
            lines +=
                MemoryPlanner::tr("Memory cannot be estimated: %1").arg(QString::fromStdString(plan.error().message));
        return lines;
    }
    for (const schedule::MemoryEstimate &estimate : plan->estimates) {
        const QString sentence = QString::fromStdString(wording::clause(estimate.verdict));
        if (estimate.layout.isChosen || estimate.verdict.code == facts::Code::MemoryFits)
            lines += MemoryPlanner::tr("Memory for %1").arg(sentence);
    }
    return lines;
}

}  // namespace

/// By the worker's arguments.
struct MemoryPlanner::Measured {
    std::map<std::vector<std::string>, sweep::MemoryProfile> profiles;
};

MemoryPlanner::MemoryPlanner(QObject *parent)
    : QObject(parent),
      m_measured(std::make_shared<Measured>()),
      m_measurer(
          [](const sweep::SweepSpec &spec, const std::filesystem::path &folder, const std::atomic<bool> &cancelled) {
              return schedule::measurementBy(workerProgram(), spec, folder, cancelled);
          }),
      m_job(pauseInTyping, this)
{}

MemoryPlanner::~MemoryPlanner()
{
    cancel();
}

void MemoryPlanner::cancel()
{
    if (m_cancelled)
        m_cancelled->store(true, std::memory_order_relaxed);  // carries no data
}

void MemoryPlanner::request(const AllocationPreview &preview, const std::filesystem::path &baseFolder)
{
    cancel();
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    schedule::MachineNow machine;
    machine.devices = preview.devices;
    machine.memoryBytes = preview.memoryBytes;
    m_job.request([this, spec = preview.spec, baseFolder, machine = std::move(machine), plan = preview.plan,
                   cancelled = m_cancelled, measured = m_measured, measurer = m_measurer]() -> std::function<void()> {
        sweep::SweepSpec resolved = spec;
        sweep::resolveForLaunch(resolved);
        const schedule::MemoryMeasurement measure = measurer(resolved, baseFolder, *cancelled);
        const auto remembered = [&](const sweep::ParameterSet &point) -> Expected<sweep::MemoryProfile> {
            const std::vector<std::string> key = sweep::builtinArguments(resolved, point, resolved.seed, baseFolder);
            if (const auto known = measured->profiles.find(key); known != measured->profiles.end())
                return known->second;
            Expected<sweep::MemoryProfile> profile = measure(point);
            if (measured->profiles.size() >= mostMeasured)
                measured->profiles.clear();
            if (profile)
                measured->profiles.emplace(key, *profile);
            return profile;
        };
        const QStringList lines = linesOf(schedule::planMemory(resolved, machine, plan, remembered));
        return [this, lines] {
            m_lines = lines;
            Q_EMIT planned();
        };
    });
}

void MemoryPlanner::drop()
{
    cancel();
    m_job.drop();
    m_lines.clear();
}

}  // namespace sweepscope::ui
