#include "script.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

namespace fakenvml {

namespace {

using nlohmann::json;

std::atomic<const Script *> current{nullptr};  ///< release: a reader sees the complete script

/// Never freed: a call that hung continues with its script, and may outlive everything else.
std::mutex keptMutex;
auto &kept = *new std::vector<std::unique_ptr<const Script>>;

/// Two GPUs whose load rises and falls between readings: 0, 10, … 100, 90, … 0, the second half a period behind.
constexpr const char *defaultScript = R"({"gpus": [
  {"uuid": "GPU-00000000-1111-2222-3333-444444444444", "name": "Fake H200", "bus": "00000000:1B:00.0",
   "memory": 151397597184, "memory_used": 1073741824, "temperature": 41, "sm_clock": 1980, "memory_clock": 3201,
   "utilization": {"curve": [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 90, 80, 70, 60, 50, 40, 30, 20, 10]}},
  {"uuid": "GPU-55555555-6666-7777-8888-999999999999", "name": "Fake H200", "bus": "00000000:3B:00.0",
   "memory": 151397597184, "memory_used": 1073741824, "temperature": 41, "sm_clock": 1980, "memory_clock": 3201,
   "utilization": {"curve": [100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 0, 10, 20, 30, 40, 50, 60, 70, 80, 90]}}]})";

std::unique_ptr<Curve> curveFrom(const json &given)
{
    if (given.is_number())
        return std::make_unique<Curve>(std::vector<double>{given.get<double>()}, 0);
    return std::make_unique<Curve>(given.at("curve").get<std::vector<double>>(), given.value("every_ms", 0));
}

std::unique_ptr<Gpu> gpuFrom(const json &given)
{
    auto gpu = std::make_unique<Gpu>();
    gpu->uuid = given.value("uuid", "");
    gpu->name = given.value("name", "Fake GPU");
    gpu->bus = given.value("bus", "");
    gpu->open = given.value("open", success);
    gpu->memory = given.value("memory", std::uint64_t{0});
    gpu->instance = given.value("instance", 0u);
    gpu->lostWhile = given.value("lost_while", "");
    gpu->heldWhile = given.value("memory_held_while", std::map<std::string, double>());
    gpu->nvlinks = given.value("nvlinks", std::vector<int>());
    gpu->nvlinkPeers = given.value("nvlink_peers", std::vector<std::string>());
    if (given.contains("cpus"))
        gpu->cpus = given.at("cpus").get<std::vector<int>>();
    gpu->errors = given.value("errors", std::map<std::string, int>());
    gpu->hangs = given.value("hangs", std::map<std::string, std::string>());
    gpu->delays = given.value("delays", std::map<std::string, std::string>());
    gpu->burns = given.value("burns", std::map<std::string, int>());
    gpu->xids = given.value("xids", std::vector<std::uint64_t>());
    for (const json &process : given.value("processes", json::array()))
        gpu->processes.push_back({process.at("pid").get<unsigned>(), process.value("memory", ~std::uint64_t{0}),
                                  process.value("instance", ~0u)});
    gpu->processesFrom = given.value("processes_from", "");
    gpu->split = given.contains("mig");
    for (const json &instance : given.value("mig", json::array())) {
        gpu->instances.push_back(instance.is_null() ? nullptr : gpuFrom(instance));
        if (gpu->instances.back())
            gpu->instances.back()->isMig = true;
    }
    for (const auto &[key, value] : given.items()) {
        const bool isCurve = value.is_object() && value.contains("curve");
        if (isCurve || (value.is_number() && key != "open" && key != "memory" && key != "instance"))
            gpu->curves.emplace(key, curveFrom(value));
    }
    return gpu;
}

json scriptText()
{
    const char *file = std::getenv("FAKE_NVML_SCRIPT");
    if (file == nullptr)
        return json::parse(defaultScript);
    std::ifstream in(file);
    return json::parse(in);
}

bool exists(const std::string &file)
{
    return !file.empty() && ::access(file.c_str(), F_OK) == 0;
}

void computeFor(int milliseconds)
{
    const auto spent = [] {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return time.tv_sec * 1000 + time.tv_nsec / 1'000'000;
    };
    for (const auto end = spent() + milliseconds; spent() < end;)
        continue;
}

/// Returns whether it hung. By value: while a call hangs the program may end, and the script with it.
bool hangWhile(std::string file)
{
    const bool hangs = exists(file);
    while (exists(file))
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return hangs;
}

}  // namespace

double Curve::next() const
{
    using namespace std::chrono;
    const auto elapsed = duration_cast<milliseconds>(steady_clock::now() - m_begin).count();
    const std::size_t place =
        m_everyMs > 0 ? static_cast<std::size_t>(elapsed / m_everyMs) : m_calls.fetch_add(1, std::memory_order_relaxed);
    return m_values.at(place % m_values.size());
}

double Counters::rise(const std::string &quantity, double speed) const
{
    const std::lock_guard lock(m_mutex);
    Count &count = m_counts[quantity];
    const auto now = std::chrono::steady_clock::now();
    count.total += speed * std::chrono::duration<double>(now - count.at).count();
    count.at = now;
    return count.total;
}

std::optional<double> Gpu::value(const std::string &quantity) const
{
    const auto curve = curves.find(quantity);
    if (curve == curves.end())
        return std::nullopt;
    double value = curve->second->next();
    for (const auto &[file, bytes] : heldWhile)
        value += quantity == "memory_used" && exists(file) ? bytes : 0;
    for (const Process &process : livingProcesses())
        value += quantity == "memory_used" ? static_cast<double>(process.memory) : 0;
    return value;
}

std::vector<Process> Gpu::livingProcesses() const
{
    std::vector<Process> living;
    std::error_code error;
    if (processesFrom.empty())
        return living;
    for (const auto &file : std::filesystem::directory_iterator(processesFrom, error)) {
        Process process;
        if (std::ifstream(file.path()) >> process.pid >> process.memory
            && ::kill(static_cast<pid_t>(process.pid), 0) == 0)
            living.push_back(process);
    }
    return living;
}

const Script *script()
{
    return current.load(std::memory_order_acquire);
}

void readScript()
{
    const json given = scriptText();
    auto read = std::make_unique<Script>();
    const char *code = std::getenv("FAKE_NVML_INIT");
    read->init = code != nullptr ? std::atoi(code) : given.value("init", success);
    read->initHangs = given.value("init_hangs", "");
    read->countCode = given.value("count", success);
    read->driver = given.value("driver", "999.1");
    read->processBytes = given.value("process_bytes", std::size_t{24});
    read->clearsBuffer = given.value("clears_buffer", false);
    read->errors = given.value("errors", std::map<std::string, int>());
    for (const json &entry : given.value("paths", json::array())) {
        const auto a = entry.at(0).get<std::string>();
        const auto b = entry.at(1).get<std::string>();
        read->ancestors[{a, b}] = read->ancestors[{b, a}] = entry.at(2).get<int>();
    }
    for (const json &gpu : given.value("gpus", json::array()))
        read->gpus.push_back(gpuFrom(gpu));
    hangWhile(read->initHangs);
    const std::lock_guard lock(keptMutex);
    kept.push_back(std::move(read));
    current.store(kept.back().get(), std::memory_order_release);
}

std::optional<int> enter(const char *symbol, const Gpu *gpu)
{
    if (script() == nullptr)
        return uninitialized;
    const auto &errors = script()->errors;
    if (const auto error = errors.find(symbol); error != errors.end())
        return error->second;
    if (gpu == nullptr)
        return std::nullopt;
    if (const auto hang = gpu->hangs.find(symbol); hang != gpu->hangs.end() && hangWhile(hang->second))
        return timedOut;
    if (const auto delay = gpu->delays.find(symbol); delay != gpu->delays.end())
        std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(delay->second)));
    if (const auto burn = gpu->burns.find(symbol); burn != gpu->burns.end())
        computeFor(burn->second);
    if (exists(gpu->lostWhile))
        return gpuIsLost;
    if (const auto error = gpu->errors.find(symbol); error != gpu->errors.end())
        return error->second;
    return std::nullopt;
}

const Gpu *gpuOf(const void *device)
{
    return static_cast<const Gpu *>(device);
}

}  // namespace fakenvml
