#include "train/stepreporter.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <utility>

namespace sweepscope::train {

namespace {

/// Gigabytes of gradients fill more buckets than anybody looks at one by one.
constexpr std::size_t mostBuckets = 8;

/// JSON has no word for what is not finite.
std::string json(double value)
{
    if (!std::isfinite(value))
        return "null";
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

double unixSeconds()
{
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string lineOf(std::int64_t step, const StepFigures &figures)
{
    const std::pair<const char *, std::optional<double>> entries[] = {
        {"loss", figures.loss},
        {"accuracy", figures.accuracy},
        {"lr", figures.learningRate},
        {"grad_norm", figures.gradientNorm},
        {"step_time", figures.stepSeconds},
        {"data_wait", figures.dataWaitSeconds},
        {"compute_time", figures.computeSeconds},
        {"forward_time", figures.forwardSeconds},
        {"backward_time", figures.backwardSeconds},
        {"update_time", figures.updateSeconds},
        {"copy_time", figures.copySeconds},
        {"comm_wait", figures.commWaitSeconds},
        {"comm_overlap", figures.commOverlapSeconds},
    };
    char time[32];
    std::snprintf(time, sizeof time, "%.6f", unixSeconds());
    std::string line = "{\"step\": " + std::to_string(step) + ", \"time\": " + time;
    for (const auto &[name, value] : entries)
        line += std::string(", \"") + name + "\": " + (value ? json(*value) : "null");
    return line + "}";
}

}  // namespace

StepReporter::StepReporter(std::optional<feed::FeedWriter> writer) : m_writer(std::move(writer))
{
    if (!m_writer)
        return;
    m_series.totalSteps = m_writer->declare("total_steps");
    m_series.loss = m_writer->declare("loss");
    m_series.accuracy = m_writer->declare("accuracy");
    m_series.learningRate = m_writer->declare("lr");
    m_series.gradientNorm = m_writer->declare("grad_norm");
    m_series.stepTime = m_writer->declare("step_time", "s");
    m_series.dataWait = m_writer->declare("data_wait", "s");
    m_series.computeTime = m_writer->declare("compute_time", "s");
    m_series.forwardTime = m_writer->declare("forward_time", "s");
    m_series.backwardTime = m_writer->declare("backward_time", "s");
    m_series.updateTime = m_writer->declare("update_time", "s");
    m_series.commWait = m_writer->declare("comm_wait", "s");
    m_series.commOverlap = m_writer->declare("comm_overlap", "s");
    m_series.samplesPerSecond = m_writer->declare("samples_per_second", "samples/s");
    m_series.weightsHash = m_writer->declare("weights_hash");
    m_series.sampleOrder = m_writer->declare("sample_order");
}

Expected<void> StepReporter::writeLinesTo(const std::filesystem::path &path)
{
    m_lines.reset(std::fopen(path.c_str(), "we"));
    if (!m_lines)
        return makeErrnoError("cannot write " + path.string(), errno);
    return {};
}

void StepReporter::total(std::int64_t steps)
{
    if (m_writer)
        m_writer->write(m_series.totalSteps, 0, static_cast<double>(steps));
}

void StepReporter::step(std::int64_t step, const StepFigures &figures)
{
    m_lastStep = step;
    if (m_lines)
        std::fprintf(m_lines.get(), "%s\n", lineOf(step, figures).c_str());
    if (!m_writer)
        return;
    m_writer->write(m_series.loss, step, figures.loss);
    if (figures.accuracy)
        m_writer->write(m_series.accuracy, step, *figures.accuracy);
    m_writer->write(m_series.learningRate, step, figures.learningRate);
    m_writer->write(m_series.gradientNorm, step, figures.gradientNorm);
    writeTimes(step, figures);
    m_writer->write(m_series.samplesPerSecond, step, figures.samplesPerSecond);
    if (!figures.tokensPerSecond)
        return;
    if (!m_series.tokensPerSecond)
        m_series.tokensPerSecond = m_writer->declare("tokens_per_second", "tokens/s");
    m_writer->write(*m_series.tokensPerSecond, step, *figures.tokensPerSecond);
}

void StepReporter::writeTimes(std::int64_t step, const StepFigures &figures)
{
    m_writer->write(m_series.stepTime, step, figures.stepSeconds);
    m_writer->write(m_series.dataWait, step, figures.dataWaitSeconds);
    m_writer->write(m_series.computeTime, step, figures.computeSeconds);
    m_writer->write(m_series.forwardTime, step, figures.forwardSeconds);
    m_writer->write(m_series.backwardTime, step, figures.backwardSeconds);
    m_writer->write(m_series.updateTime, step, figures.updateSeconds);
    m_writer->write(m_series.commWait, step, figures.commWaitSeconds);
    m_writer->write(m_series.commOverlap, step, figures.commOverlapSeconds);
    for (std::size_t i = 0; i < std::min(figures.bucketSeconds.size(), mostBuckets); ++i) {
        if (i == m_series.bucketTimes.size())
            m_series.bucketTimes.push_back(m_writer->declare("bucket_time_" + std::to_string(i), "s"));
        m_writer->write(m_series.bucketTimes[i], step, figures.bucketSeconds[i]);
    }
    if (!figures.copySeconds)
        return;
    if (!m_series.copyTime)
        m_series.copyTime = m_writer->declare("copy_time", "s");
    m_writer->write(*m_series.copyTime, step, *figures.copySeconds);
}

void StepReporter::writeScore(std::int64_t step, const std::string &set, const Score &score)
{
    std::vector<std::pair<std::string, double>> all{{"loss", score.loss}};
    all.insert(all.end(), score.metrics.begin(), score.metrics.end());
    std::string line = "{\"step\": " + std::to_string(step);
    for (const auto &[metric, value] : all) {
        const std::string name = set + "_" + metric;
        line += ", \"" + name + "\": " + json(value);
        if (!m_writer)
            continue;
        const auto [series, isNew] = m_series.scores.try_emplace(name);
        if (isNew)
            series->second = m_writer->declare(name);
        m_writer->write(series->second, step, value);
    }
    if (!m_lines)
        return;
    std::fprintf(m_lines.get(), "%s}\n", line.c_str());
    std::fflush(m_lines.get());
}

void StepReporter::validation(std::int64_t step, const Score &score)
{
    writeScore(step, "val", score);
}

void StepReporter::test(std::int64_t step, const Score &score)
{
    writeScore(step, "test", score);
}

void StepReporter::weightsHash(std::int64_t step, double fingerprint)
{
    if (m_writer)
        m_writer->write(m_series.weightsHash, step, fingerprint);
}

void StepReporter::sampleOrder(std::int64_t step, double fingerprint)
{
    if (m_writer)
        m_writer->write(m_series.sampleOrder, step, fingerprint);
}

void StepReporter::event(feed::EventKind kind, std::int64_t step, const std::string &text)
{
    if (m_writer)
        m_writer->event(kind, step, text);
}

bool StepReporter::stopRequested() const
{
    return m_writer && m_writer->stopRequested();
}

}  // namespace sweepscope::train
