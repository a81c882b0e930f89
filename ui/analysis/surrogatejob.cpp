#include "ui/analysis/surrogatejob.h"

#include "sweep/splitmix.h"
#include "ui/models/newestjob.h"

#include <QElapsedTimer>

#include <algorithm>
#include <bit>
#include <chrono>
#include <functional>
#include <utility>

namespace sweepscope::ui {
using namespace std::chrono_literals;

namespace {

constexpr auto shortestRest = 3s;
constexpr int restPerFit = 9;  ///< how often the time of a fit: a running sweep then costs a tenth of a core

/// Changes with everything that a surrogate learns from.
std::uint64_t fingerprintOf(const std::vector<sweep::TrialRecord> &trials, const analysis::TrialValues &values)
{
    using sweep::SplitMix64;
    std::uint64_t print = trials.size();
    for (const sweep::TrialRecord &trial : trials)
        print = SplitMix64::mix(print + static_cast<std::uint64_t>(sweep::isFinal(trial.state)) + SplitMix64::gamma);
    for (const double value : values.values)
        print = SplitMix64::mix(print ^ std::bit_cast<std::uint64_t>(value));
    return print;
}

}  // namespace

SurrogateJob::SurrogateJob(QObject *parent) : QObject(parent), m_job(new NewestJob(0ms, this))
{
    m_rest.setSingleShot(true);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        if (std::exchange(m_isOutdated, false))
            Q_EMIT outdated();
    });
}

SurrogateJob::~SurrogateJob() = default;

bool SurrogateJob::isPending() const
{
    return m_job->isPending();
}

void SurrogateJob::follow(qint64 sweepId, const sweep::SweepSpec &spec, const std::vector<sweep::TrialRecord> &trials,
                          const analysis::TrialValues &values, bool wantsBaseline)
{
    const std::uint64_t fingerprint = fingerprintOf(trials, values);
    if (m_subject.sweepId != sweepId || m_subject.target != values.target || m_subject.spec != spec) {
        drop();
        m_subject = {sweepId, spec, values.target, wantsBaseline};
    } else if (m_fingerprint == fingerprint) {
        return;
    } else if (m_job->isPending() || m_rest.isActive()) {
        m_isOutdated = true;
        return;
    }
    m_fingerprint = fingerprint;
    start(trials, values);
}

void SurrogateJob::drop()
{
    m_job->drop();
    m_rest.stop();
    m_isOutdated = false;
    m_subject = {};
    m_fingerprint = 0;
    m_result = {};
}

void SurrogateJob::start(const std::vector<sweep::TrialRecord> &trials, const analysis::TrialValues &values)
{
    m_job->request([this, spec = m_subject.spec, goal = values.target.goal, wantsBaseline = m_subject.wantsBaseline,
                    finished = values.size(),
                    observations = analysis::observationsOf(m_subject.spec, trials, values)]() {
        QElapsedTimer time;
        time.start();
        Result result;
        result.surrogate = analysis::Surrogate::fit(spec, goal, observations);
        if (result.surrogate && wantsBaseline)
            // Somewhat further than needed, for the trials that finish until the next fit.
            result.baseline = analysis::randomBaseline(*result.surrogate, finished + finished / 4 + 10);
        const auto rest =
            std::max<std::chrono::milliseconds>(shortestRest, restPerFit * std::chrono::milliseconds(time.elapsed()));
        return std::function<void()>([this, result, rest] {
            m_result = result;
            m_rest.start(rest);
            Q_EMIT fitted();
        });
    });
}

}  // namespace sweepscope::ui
