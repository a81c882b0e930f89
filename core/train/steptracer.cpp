#include "train/steptracer.h"

#include "base/files.h"
#include "base/workspacelayout.h"
#include "train/torcherror.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/cuda.h>
#include <utility>

namespace sweepscope::train {

namespace {

namespace profiler = torch::autograd::profiler;
using torch::profiler::impl::ActivityType;

constexpr std::uint64_t mostRequestBytes = 4096;

/// Kineto does not say that it could not write all of a file.
bool isComplete(const std::filesystem::path &trace)
{
    const std::string tail = readTail(trace, 16);
    const std::size_t last = tail.find_last_not_of(" \n");
    return last != std::string::npos && tail[last] == '}';
}

}  // namespace

StepTracer::StepTracer(std::filesystem::path attemptFolder, int rank, std::vector<c10::Device> devices,
                       StepReporter &reporter)
    : m_folder(std::move(attemptFolder)), m_rank(rank), m_devices(std::move(devices)), m_reporter(reporter)
{
    if (m_folder.empty())
        m_due = Clock::time_point::max();
}

StepTracer::~StepTracer()
{
    finish();
}

void StepTracer::beginStep(std::int64_t step)
{
    m_step = step;
    if (!m_recording && Clock::now() >= m_due) {
        if (const std::optional<int> steps = requestedSteps())
            start(step, *steps);
    }
    if (!m_recording)
        return;
    m_markName = "ProfilerStep#" + std::to_string(step);  // the name by which tools find steps in a trace
    m_mark.emplace(at::RecordScope::USER_SCOPE);
    if (m_mark->isActive())
        m_mark->before(m_markName.c_str());
}

void StepTracer::endStep()
{
    if (!m_recording)
        return;
    m_mark.reset();
    if (++m_recording->ended < m_recording->steps)
        return;
    try {
        awaitDevices();
    } catch (const std::exception &) {
        // Training meets the error as well, and reports it.
    }
    stop();
}

void StepTracer::finish()
{
    m_mark.reset();
    if (m_recording)
        stop();
    else if (std::exchange(m_requested, 0) > 0)
        warn("training ended before the first step", m_step);
}

/// How many steps to record from now on; nullopt if none are due.
std::optional<int> StepTracer::requestedSteps()
{
    if (m_requested > 0)
        return std::exchange(m_requested, 0);
    const std::optional<sweep::TraceRequest> request = newRequest();
    const std::chrono::nanoseconds delay = sweep::traceDelay;
    if (!request) {
        m_due = Clock::now() + sweep::traceLookInterval;
        return {};
    }
    m_requested = request->steps;
    // The wall clock may have been set back since the request.
    m_due = Clock::now() + std::min(delay, delay + std::chrono::nanoseconds(request->time - wallNow()));
    return {};
}

std::optional<sweep::TraceRequest> StepTracer::newRequest()
{
    const std::filesystem::path path = AttemptLayout{m_folder}.traceRequest();
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0
        || (info.st_ino == m_seen.st_ino && info.st_mtim.tv_sec == m_seen.st_mtim.tv_sec
            && info.st_mtim.tv_nsec == m_seen.st_mtim.tv_nsec))
        return {};
    m_seen = info;
    const Expected<sweep::TraceRequest> request =
        readFile(path, mostRequestBytes).and_then([](const std::string &text) {
            return sweep::traceRequestFromJson(text);
        });
    if (request)
        return *request;
    warn(request.error().message, m_step);
    return {};
}

void StepTracer::start(std::int64_t step, int steps)
{
    const torch::profiler::impl::ProfilerConfig config(torch::profiler::impl::ProfilerState::KINETO);
    std::set<ActivityType> activities{ActivityType::CPU};
    if (std::ranges::any_of(m_devices, &c10::Device::is_cuda))
        activities.insert(ActivityType::CUDA);
    try {
        awaitDevices();  // earlier steps belong to no trace
        profiler::prepareProfiler(config, activities);
        profiler::enableProfiler(config, activities);
        m_recording = Recording{.first = step, .steps = steps};
    } catch (const std::exception &error) {
        warn(sentenceOf(error), step);
    }
}

void StepTracer::stop()
{
    try {
        write();
    } catch (const std::exception &error) {
        warn(sentenceOf(error), m_step);
    }
    m_recording.reset();
    m_due = Clock::now();
}

void StepTracer::write()
{
    const std::unique_ptr<profiler::ProfilerResult> result = profiler::disableProfiler();
    if (m_recording->ended == 0)
        throw std::runtime_error("training ended before the end of the first step");
    const std::filesystem::path path = freePath();
    const std::filesystem::path temporary = path.string() + ".tmp";
    result->save(temporary);
    if (!isComplete(temporary) || std::rename(temporary.c_str(), path.c_str()) != 0) {
        std::remove(temporary.c_str());
        throw std::runtime_error("cannot write " + path.string());
    }
    const std::int64_t last = m_recording->first + m_recording->ended - 1;
    const std::string steps = m_recording->ended == 1
                                  ? "step " + std::to_string(last)
                                  : "steps " + std::to_string(m_recording->first) + " to " + std::to_string(last);
    m_reporter.event(feed::EventKind::Message, last, "trace of " + steps + ": " + path.filename().string());
}

void StepTracer::awaitDevices() const
{
    for (const c10::Device &device : m_devices) {
        if (device.is_cuda())
            torch::cuda::synchronize(device.index());
    }
}

/// An earlier trace stays.
std::filesystem::path StepTracer::freePath() const
{
    const std::string name = "trace-rank-" + std::to_string(m_rank);
    std::filesystem::path path = m_folder / (name + ".json");
    for (int number = 2; std::filesystem::exists(path); ++number)
        path = m_folder / (name + "-" + std::to_string(number) + ".json");
    return path;
}

void StepTracer::warn(const std::string &reason, std::int64_t step)
{
    m_reporter.event(feed::EventKind::Warning, step, "no trace: " + reason);
}

}  // namespace sweepscope::train
