#pragma once

#include "ui/live/plotframe.h"
#include "ui/live/trialsource.h"

#include <QElapsedTimer>
#include <QObject>
#include <QThread>
#include <QTimer>

#include <chrono>
#include <memory>
#include <vector>

namespace sweepscope::ui {

/// The window's side of the feeds: a thread of its own reads and decimates them, and one timer asks it for frames, at
/// most 25 a second, one at a time. No frame comes while nothing changes; after a while without a change nobody looks any
/// more, until the system tells that a file has changed.
class LiveData : public QObject {
    Q_OBJECT

public:
    explicit LiveData(QObject *parent = nullptr);
    ~LiveData() override;

    /// Show this attempt. The same files as before: only what is known about it changes, nothing is read again.
    void setSource(const TrialSource &source) { setSources({source}); }
    /// More than one: those after the first are what charts are pinned to; but see setComparing().
    void setSources(const std::vector<TrialSource> &sources);
    /// From now on each attempt is one curve, however many there are. Before the first source.
    void setComparing() { m_kind = Kind::Compared; }
    /// From now on each attempt is one small curve over its own time, attempts come and go, and a frame a second is
    /// enough. Before the first source.
    void setOverview();
    void clearSource();
    /// The first one; all empty when there is none.
    const TrialSource &source() const { return m_sources.front(); }
    const std::vector<TrialSource> &sources() const { return m_sources; }

    /// What the next frame shall show. Answered at once, not at the next tick.
    void setRequest(const PlotRequest &request);
    const PlotRequest &request() const { return m_request; }

    /// Off while nobody looks: nothing is read.
    void setActive(bool active);
    /// Nothing has changed for a while: no timer runs, files are watched.
    bool isAsleep() const { return m_asleep && !m_timer.isActive(); }

Q_SIGNALS:
    void frameReady(const std::shared_ptr<const sweepscope::ui::PlotFrame> &frame);
    void nothingNew();  ///< the thread looked, and the picture is still right

private:
    enum class Kind { Attempt, Compared, Overview };
    class Reader;
    bool goesOn(const std::vector<TrialSource> &sources) const;
    void tick();
    void fallAsleep();
    void stayAwake();
    void wakeUp();
    void answered(const std::shared_ptr<const PlotFrame> &frame);

    QThread m_thread;
    Reader *m_reader;  // lives in m_thread, deleted when it ends
    QTimer m_timer;
    std::vector<TrialSource> m_sources{TrialSource()};
    PlotRequest m_request;
    quint64 m_generation = 0;
    Kind m_kind = Kind::Attempt;
    std::chrono::milliseconds m_interval;
    bool m_active = false;
    bool m_asked = false;  // a question is on its way
    bool m_asleep = false;
    int m_looks = 0;  // in vain, at the longest interval
    bool m_requestChanged = false;
};

}  // namespace sweepscope::ui
