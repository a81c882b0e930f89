#include "engine/energylog.h"

#include "base/filedescriptor.h"
#include "base/files.h"
#include "sweep/deviceplace.h"

#include <algorithm>
#include <fcntl.h>
#include <set>
#include <utility>

namespace sweepscope::engine {

namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr auto betweenLooks = 500ms;

std::map<std::string, int> gpusOf(const std::vector<std::string> &devices)
{
    std::map<std::string, int> gpus;
    for (const std::string &device : devices) {
        if (!device.starts_with("cpu:") && !sweep::isJobDevice(device))
            ++gpus[device];
    }
    return gpus;
}

void appendEnergy(const std::filesystem::path &file, const launch::AttemptEnergy &energy)
{
    const auto opened = openRegularFile(file, O_WRONLY | O_APPEND | O_CREAT);
    // A write error is harmless: then the energy of this attempt is unknown.
    if (opened)
        (void)writeAll(opened->get(), launch::toJson(energy), file);
}

}  // namespace

EnergyLog::EnergyLog(WorkspaceLayout workspace, Patience patience)
    : m_workspace(std::move(workspace)), m_patience(patience), m_thread([this] { work(); })
{}

EnergyLog::~EnergyLog()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void EnergyLog::begin(const Attempt &attempt)
{
    std::map<std::string, int> gpus = gpusOf(attempt.devices);
    const std::lock_guard lock(m_mutex);
    if (gpus.empty()) {
        ++useIn(attempt.file).unknown;
        return;
    }
    m_holders.push_back({attempt, std::move(gpus)});
}

void EnergyLog::end(const std::string &id, WallNs time)
{
    {
        const std::lock_guard lock(m_mutex);
        const auto holder =
            std::ranges::find_if(m_holders, [&id](const Holder &each) { return each.attempt.id == id && !each.ended; });
        if (holder == m_holders.end())
            return;
        holder->ended = time;
        bool isHere = true;
        std::map<std::string, Holdings> others;
        for (const auto &[gpu, ranks] : holder->gpus) {
            isHere = isHere && sweep::machineOf(gpu).empty();
            for (const Holder &other : m_holders) {
                const auto held = other.gpus.find(gpu);
                if (&other != &*holder && held != other.gpus.end())
                    others[gpu].push_back({other.attempt.began, other.ended.value_or(time), held->second});
            }
        }
        const Time now = steady_clock::now();
        m_waiting.push_back({*holder, std::move(others), now, now + (isHere ? m_patience.here : m_patience.elsewhere)});
        forgetEnded();
    }
    m_changed.notify_all();
}

EnergyUse EnergyLog::use(const std::filesystem::path &file)
{
    const std::lock_guard lock(m_mutex);
    return useIn(file);
}

/// Call with the lock.
EnergyUse &EnergyLog::useIn(const std::filesystem::path &file)
{
    const auto [use, isNew] = m_uses.try_emplace(file);
    if (isNew) {
        if (const auto known = launch::readEnergy(file).known())
            use->second.joules = known->joules;
    }
    return use->second;
}

/// Call with the lock, so that no energy is both read from the file and added.
void EnergyLog::record(const Attempt &attempt, const std::optional<series::Energy> &energy)
{
    EnergyUse &use = useIn(attempt.file);
    if (!energy) {
        ++use.unknown;
        return;
    }
    use.joules = use.joules.value_or(0) + energy->joules;
    appendEnergy(attempt.file, {attempt.trial, attempt.number, *energy});
}

/// Keeps attempts that ended while one that still runs shared a GPU with them.
void EnergyLog::forgetEnded()
{
    std::optional<WallNs> oldest;
    for (const Holder &holder : m_holders) {
        if (!holder.ended)
            oldest = std::min(oldest.value_or(holder.attempt.began), holder.attempt.began);
    }
    std::erase_if(m_holders,
                  [&](const Holder &holder) { return holder.ended && (!oldest || *holder.ended <= *oldest); });
}

void EnergyLog::work()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        const auto next = std::ranges::min_element(m_waiting, {}, &Measurement::notBefore);
        if (next == m_waiting.end()) {
            if (m_ending)
                return;
            m_changed.wait(lock);
            continue;
        }
        if (const Time notBefore = next->notBefore; !m_ending && notBefore > steady_clock::now()) {
            m_changed.wait_until(lock, notBefore);
            continue;
        }
        Measurement measurement = std::move(*next);
        m_waiting.erase(next);
        const bool isLast = m_ending || steady_clock::now() >= measurement.deadline;
        lock.unlock();
        const bool isDue = isRead(measurement) || isLast;
        const auto energy = isDue ? measure(measurement) : std::nullopt;
        lock.lock();
        if (isDue) {
            record(measurement.holder.attempt, energy);
        } else {
            measurement.notBefore = steady_clock::now() + betweenLooks;
            m_waiting.push_back(std::move(measurement));
        }
    }
}

/// Returns whether the readings reach beyond the end of the attempt.
bool EnergyLog::isRead(const Measurement &measurement)
{
    return std::ranges::all_of(measurement.holder.gpus, [&](const auto &gpu) {
        const std::optional<WallNs> last = historyOf(gpu.first).follow();
        return last && *last > *measurement.holder.ended;
    });
}

std::optional<series::Energy> EnergyLog::measure(const Measurement &measurement)
{
    const Holder &holder = measurement.holder;
    std::map<std::string, std::set<std::string>> byMachine;
    for (const auto &[gpu, ranks] : holder.gpus)
        byMachine[sweep::machineOf(gpu)].insert(gpu);
    std::optional<series::Energy> sum;
    for (const auto &[machine, gpus] : byMachine) {
        std::set<std::string> names;
        for (const std::string &gpu : gpus)
            names.insert(sweep::withoutMachine(gpu));
        const auto readings = historyOf(*gpus.begin()).read(names, holder.attempt.began, *holder.ended);
        for (const std::string &gpu : gpus) {
            const auto others = measurement.others.find(gpu);
            const auto energy = series::energyOf(
                readings.at(sweep::withoutMachine(gpu)), {holder.attempt.began, *holder.ended, holder.gpus.at(gpu)},
                others == measurement.others.end() ? std::span<const series::GpuHolding>() : others->second);
            if (!energy)
                return std::nullopt;
            sum = sum ? *sum + *energy : *energy;
        }
    }
    return sum;
}

GpuHistory &EnergyLog::historyOf(const std::string &device)
{
    const std::string machine = sweep::machineOf(device);
    const auto known = m_histories.find(machine);
    return known != m_histories.end()
               ? known->second
               : m_histories.emplace(machine, GpuHistory(m_workspace.devicesFeed(machine))).first->second;
}

}  // namespace sweepscope::engine
