#include "device/smisource.h"

#include "device/gputopology.h"
#include "device/smioutput.h"
#include "process/processowner.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <utility>

namespace sweepscope::device {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds answerLimit = 15s;  ///< a driver that has to wake many GPUs takes its time
constexpr std::chrono::milliseconds lineLimit = 100ms;
constexpr std::chrono::seconds restartAfter{10};
constexpr std::chrono::seconds forgottenAfter{12};
constexpr std::size_t mostLines = 10'000;
constexpr const char *asValues = "--format=csv,noheader,nounits";
constexpr const char *eachSecond = "--loop=1";
constexpr const char *eachFiveSeconds = "--loop=5";

const std::atomic<bool> neverCancelled{false};

std::string joined(const std::vector<std::string> &words)
{
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : ",") + word;
    return text;
}

}  // namespace

SmiSource::SmiSource(std::string program)
    : m_program(program.empty() ? "nvidia-smi" : std::move(program)), m_isSimulated(m_program != "nvidia-smi")
{}

/// Returns everything that it prints; empty if it cannot be started, and note() says why.
std::vector<std::string> SmiSource::run(const std::vector<std::string> &arguments)
{
    std::vector<std::string> command{m_program};
    command.insert(command.end(), arguments.begin(), arguments.end());
    Expected<LineProgram> program = LineProgram::start({command, {}});
    std::vector<std::string> lines;
    if (!program) {
        m_note = "no NVIDIA driver is installed (nvidia-smi was not found)";
        return lines;
    }
    while (lines.size() < mostLines) {
        Expected<std::string> line = program->read(answerLimit, neverCancelled);
        if (!line)
            break;
        lines.push_back(std::move(*line));
    }
    return lines;
}

/// Removes from `fields` those that the driver does not know.
std::vector<std::string> SmiSource::query(std::vector<std::string> &fields)
{
    while (!fields.empty()) {
        std::vector<std::string> lines = run({"--query-gpu=" + joined(fields), asValues});
        const std::string unknown = lines.empty() ? std::string() : smi::unknownField(lines.front());
        if (unknown.empty() || std::erase(fields, unknown) == 0)
            return lines;
    }
    return {};
}

std::vector<Device> SmiSource::devices()
{
    m_note.clear();
    m_devices.clear();
    std::vector<std::string> fields(smi::deviceFields().begin(), smi::deviceFields().end());
    const std::vector<std::string> lines = query(fields);
    for (const std::string &line : lines) {
        if (auto device = smi::deviceIn(line, fields))
            m_devices.push_back(std::move(*device));
    }
    if (m_devices.empty()) {
        if (m_note.empty())
            m_note = "nvidia-smi shows no GPU" + (lines.empty() ? std::string() : ": " + lines.front());
        return {};
    }
    std::vector<std::string> ids;
    for (Device &device : m_devices) {
        device.nearCpus = [&] {
            const std::vector<int> cpus = cpusNearPciDevice("", device.pciBusId);
            return std::set<int>(cpus.begin(), cpus.end());
        }();
        ids.resize(std::max(ids.size(), static_cast<std::size_t>(device.index) + 1));
        ids[static_cast<std::size_t>(device.index)] = device.id;
    }
    const bool hasInstances = std::ranges::any_of(m_devices, [](const Device &device) { return !device.offered; });
    if (hasInstances)
        std::ranges::move(smi::instancesIn(run({"-L"})), std::back_inserter(m_devices));
    if (ids.size() > 1)
        m_topology = smi::topologyIn(run({"topo", "-m"}), ids);
    std::vector<std::string> version{"driver_version"};
    const std::vector<std::string> versions = query(version);
    m_driver = versions.empty() ? std::string() : "driver " + versions.front();
    for (Device &device : m_devices)
        device.simulated = m_isSimulated;

    m_readingFields.assign(smi::readingFields().begin(), smi::readingFields().end());
    query(m_readingFields);
    m_readings.command = {m_program, "--query-gpu=" + joined(m_readingFields), asValues, eachSecond};
    m_processes.command = {m_program, "--query-compute-apps=gpu_uuid,pid,used_gpu_memory", asValues, eachFiveSeconds};
    return m_devices;
}

/// Starts the program again, after a while, if it has ended.
std::vector<std::string> SmiSource::newLines(Stream &stream)
{
    const SteadyTime now = std::chrono::steady_clock::now();
    std::vector<std::string> lines;
    if (!stream.program && !stream.command.empty() && now >= stream.restartAt) {
        stream.restartAt = now + restartAfter;
        if (Expected<LineProgram> started = LineProgram::start({stream.command, {}}))
            stream.program.emplace(std::move(*started));
    }
    while (stream.program && lines.size() < mostLines && stream.program->hasOutput()) {
        Expected<std::string> line = stream.program->read(lineLimit, neverCancelled);
        if (line)
            lines.push_back(std::move(*line));
        else if (line.error().code != ErrorCode::Timeout)
            stream.program.reset();
        else
            break;
    }
    return lines;
}

/// All processes are listed each time, but nothing says where a list ends or that it is empty: one that is not listed again
/// has ended.
void SmiSource::updateUsers()
{
    const SteadyTime now = std::chrono::steady_clock::now();
    for (const std::string &line : newLines(m_processes)) {
        auto found = smi::processIn(line);
        if (!found)
            continue;
        found->process.user = process::userOfProcess(found->process.pid, "/proc");
        found->process.name = process::nameOfProcess(found->process.pid, "/proc");
        m_users[found->gpu][found->process.pid] = {std::move(found->process), now};
    }
    for (auto &[gpu, users] : m_users)
        std::erase_if(users, [now](const auto &user) { return now - user.second.seen > forgottenAfter; });
}

std::vector<DeviceReading> SmiSource::sample()
{
    std::map<std::string, Reading> newest;
    for (const std::string &line : newLines(m_readings)) {
        if (auto found = smi::readingIn(line, m_readingFields))
            newest[found->deviceId].update(found->reading);
    }
    updateUsers();
    std::vector<DeviceReading> readings;
    for (auto &[id, reading] : newest) {
        reading.processes.emplace();
        for (const auto &[pid, user] : m_users[id])
            reading.processes->push_back(user.process);
        reading.processCount = static_cast<double>(reading.processes->size());
        if (m_isSimulated)
            reading.simulated = 1;
        readings.push_back({id, std::move(reading)});
    }
    return readings;
}

}  // namespace sweepscope::device
