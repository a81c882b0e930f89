#include "sweepwatch.h"

#include "sweepwords.h"

#include "wording/sentence.h"

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <limits>

namespace sweepscope::ctl {

namespace {
using namespace std::chrono_literals;
}  // namespace

SweepWatch::SweepWatch(protocol::EngineClient &client, std::int64_t sweepId, int concurrent, std::ostream &out)
    : m_client(client),
      m_sweepId(sweepId),
      m_concurrent(concurrent),
      m_out(out),
      m_patience(client, "Reconnecting; running trials are not affected.",
                 [this](const QString &reason) { Q_EMIT gaveUp(reason); })
{
    connect(&client, &protocol::EngineClient::trialsChanged, this, [this](qint64 id, int first, int last) {
        if (id == m_sweepId)
            reportTrials(first, last);
    });
    connect(&client, &protocol::EngineClient::sweepsChanged, this, &SweepWatch::reportSweep);
}

void SweepWatch::begin()
{
    printWarnings();
    reportTrials(1, std::numeric_limits<int>::max());
}

void SweepWatch::reportSweep()
{
    printWarnings();
    checkEnd();
}

void SweepWatch::printWarnings()
{
    const sweep::SweepRecord *sweep = m_client.sweep(m_sweepId);
    if (sweep == nullptr)
        return;
    for (const facts::Fact &warning : sweep->warnings) {
        if (std::find(m_warnings.begin(), m_warnings.end(), warning) == m_warnings.end())
            std::cerr << "warning: " << wording::sentence(warning) << std::endl;
    }
    if (sweep->warnings.empty() && !m_warnings.empty() && !sweep->ended)
        std::cerr << "Resolved; the sweep continues." << std::endl;
    m_warnings = sweep->warnings;
}

void SweepWatch::reportTrials(int firstNumber, int lastNumber)
{
    const std::vector<sweep::TrialRecord> &trials = m_client.trials(m_sweepId);
    auto trial = std::lower_bound(trials.begin(), trials.end(), firstNumber,
                                  [](const sweep::TrialRecord &known, int number) { return known.number < number; });
    for (; trial != trials.end() && trial->number <= lastNumber; ++trial) {
        if (!sweep::isFinal(trial->state))
            m_seen.erase(trial->number);  // retried, or promoted after it was pruned
        else if (m_seen.insert(trial->number).second)
            reportEnd(*trial);
    }
    checkEnd();
}

void SweepWatch::reportEnd(const sweep::TrialRecord &trial)
{
    if (trial.attempts == 0 && trial.state == sweep::TrialState::Stopped)
        ++m_notStarted;
    else
        print(trial);
}

void SweepWatch::print(const sweep::TrialRecord &trial)
{
    const sweep::SweepRecord *sweep = m_client.sweep(m_sweepId);
    if (sweep == nullptr)
        return;
    const std::optional<int> expected = sweep::expectedTrials(*sweep);
    const std::string total = expected ? std::to_string(*expected) : std::string();
    m_out << '[' << std::setw(static_cast<int>(total.size())) << m_seen.size() << (expected ? "/" : "") << total
          << "] trial " << trial.number << ' ' << sweep::toString(trial.state);
    const auto part = [this](const std::string &words) {
        if (!words.empty())
            m_out << "  " << words;
    };
    part(parametersInWords(trial.parameters));
    part(objectiveInWords(sweep->objective, trial));
    part(metricsInWords(trial));
    if (const std::optional<double> seconds = secondsOf(trial, wallNow()))
        part(durationInWords(*seconds));
    part(timeLeft());
    if (trial.reason)
        m_out << "\n        " << wording::sentence(trial.reason);
    m_out << std::endl;
}

std::string SweepWatch::timeLeft()
{
    // The estimate visits all trials: not for each line, when thousands end in a second.
    constexpr WallNs estimateInterval = 1'000'000'000;
    const WallNs now = wallNow();
    if (now - m_estimatedAt >= estimateInterval) {
        m_estimatedAt = now;
        if (const sweep::SweepRecord *sweep = m_client.sweep(m_sweepId))
            m_secondsLeft = sweep::estimateSecondsLeft(*sweep, m_client.trials(m_sweepId), m_concurrent, now);
    }
    return m_secondsLeft && *m_secondsLeft > 0 ? timeLeftInWords(*m_secondsLeft) : std::string();
}

void SweepWatch::checkEnd()
{
    // The sweep's record and those of its last trials come in separate messages.
    const sweep::SweepRecord *sweep = m_client.sweep(m_sweepId);
    if (m_hasEnded || sweep == nullptr || !sweep->ended || static_cast<int>(m_seen.size()) < sweep->trialsTotal)
        return;
    m_hasEnded = true;
    if (m_notStarted > 0)
        m_out << m_notStarted
              << (m_notStarted == 1 ? " trial was stopped before it started\n"
                                    : " trials were stopped before they started\n");
    Q_EMIT ended();
}

}  // namespace sweepscope::ctl
