#include "train/stepreporter.h"

namespace sweepscope::train {

StepReporter::StepReporter(std::optional<feed::FeedWriter> writer) : m_writer(std::move(writer))
{
    if (!m_writer)
        return;
    m_series.totalSteps = m_writer->declare("total_steps");
    m_series.loss = m_writer->declare("loss");
    m_series.accuracy = m_writer->declare("accuracy");
    m_series.learningRate = m_writer->declare("lr");
    m_series.stepTime = m_writer->declare("step_time", "s");
    m_series.dataWait = m_writer->declare("data_wait", "s");
    m_series.samplesPerSecond = m_writer->declare("samples_per_second", "samples/s");
    m_series.validationLoss = m_writer->declare("val_loss");
    m_series.validationAccuracy = m_writer->declare("val_accuracy");
    m_series.testLoss = m_writer->declare("test_loss");
    m_series.testAccuracy = m_writer->declare("test_accuracy");
}

void StepReporter::total(std::int64_t steps)
{
    if (m_writer)
        m_writer->write(m_series.totalSteps, 0, static_cast<double>(steps));
}

void StepReporter::step(std::int64_t step, const StepFigures &figures)
{
    if (!m_writer)
        return;
    m_writer->write(m_series.loss, step, figures.loss);
    m_writer->write(m_series.accuracy, step, figures.accuracy);
    m_writer->write(m_series.learningRate, step, figures.learningRate);
    m_writer->write(m_series.stepTime, step, figures.stepSeconds);
    m_writer->write(m_series.dataWait, step, figures.dataWaitSeconds);
    m_writer->write(m_series.samplesPerSecond, step, figures.samplesPerSecond);
}

void StepReporter::validation(std::int64_t step, const Score &score)
{
    if (!m_writer)
        return;
    m_writer->write(m_series.validationLoss, step, score.loss);
    m_writer->write(m_series.validationAccuracy, step, score.accuracy);
}

void StepReporter::test(std::int64_t step, const Score &score)
{
    if (!m_writer)
        return;
    m_writer->write(m_series.testLoss, step, score.loss);
    m_writer->write(m_series.testAccuracy, step, score.accuracy);
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
