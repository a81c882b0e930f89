#pragma once

#include "ui/plot/plotframe.h"
#include "ui/plot/trialsource.h"

#include <QElapsedTimer>
#include <QObject>
#include <QThread>
#include <QTimer>

#include <chrono>
#include <memory>
#include <vector>

namespace sweepscope::ui {

/// The GUI thread's access to feeds: a separate thread reads and decimates them, and a timer requests frames, at most
/// 25 a second, one at a time. Without changes there are no frames; after a while the polling stops until the system
/// reports a changed file.
class LiveData : public QObject {
    Q_OBJECT

public:
    explicit LiveData(QObject *parent = nullptr);
    ~LiveData() override;

    /// Shows this attempt. With the same files as before, only updates what is known about it, without reading them
    /// again.
    void setSource(const TrialSource &source) { setSources({source}); }
    /// Sources after the first are those of pinned charts, unless setComparing() was called.
    void setSources(const std::vector<TrialSource> &sources);
    /// Makes each attempt one curve, however many there are; attempts come and go. Call before the first source.
    void setComparing() { m_kind = Kind::Compared; }
    /// Makes each attempt one small curve over its own time; attempts come and go, and one frame a second is enough.
    /// Call before the first source.
    void setOverview();
    void clearSource();
    /// The first source; empty if there is none.
    const TrialSource &source() const { return m_sources->front(); }
    const std::vector<TrialSource> &sources() const { return *m_sources; }

    /// Sets what the next frame shows, and requests it immediately.
    void setRequest(const PlotRequest &request);
    const PlotRequest &request() const { return m_request; }

    /// Inactive while the page is hidden: nothing is read.
    void setActive(bool active);
    /// Whether nothing has changed for a while: no timer runs, files are watched.
    bool isAsleep() const { return m_asleep && !m_timer.isActive(); }

Q_SIGNALS:
    void frameReady(const std::shared_ptr<const sweepscope::ui::PlotFrame> &frame);
    void nothingNew();  ///< the thread polled, and the picture is still valid

private:
    enum class Kind { Attempt, Compared, Overview };
    class Reader;
    bool continues(const std::vector<TrialSource> &sources) const;
    void tick();
    void fallAsleep();
    void stayAwake();
    void wakeUp();
    void answered(const std::shared_ptr<const PlotFrame> &frame);

    QThread m_thread;
    Reader *m_reader;  // lives in m_thread, deleted when the thread ends
    QTimer m_timer;
    /// Shared with the reading thread: copies of thousands would take longer than a frame.
    std::shared_ptr<const std::vector<TrialSource>> m_sources =
        std::make_shared<std::vector<TrialSource>>(1, TrialSource());
    PlotRequest m_request;
    quint64 m_generation = 0;
    Kind m_kind = Kind::Attempt;
    std::chrono::milliseconds m_interval;
    bool m_active = false;
    bool m_requested = false;  // a request is pending
    bool m_asleep = false;
    int m_idlePolls = 0;  // polls without data, at the longest interval
    bool m_requestChanged = false;
};

}  // namespace sweepscope::ui
