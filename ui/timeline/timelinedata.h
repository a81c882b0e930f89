#pragma once

#include "ui/timeline/attemptspans.h"

#include <QObject>
#include <QThread>

#include <memory>
#include <set>

namespace sweepscope::ui {

/// Reads data that only the attempts' files have, on a separate thread, a bounded number at a time, and caches it.
class TimelineData : public QObject {
    Q_OBJECT

public:
    explicit TimelineData(QObject *parent = nullptr);
    ~TimelineData() override;

    /// Clears the cache for another sweep.
    void setSweep(const QString &workspace, const sweep::SweepRecord &sweep);
    /// Requests attempts. Answer: spansChanged, if there is anything new. Ended attempts are read once.
    void want(const std::vector<AttemptKey> &attempts);
    const AttemptSpans &spans() const { return m_spans; }

Q_SIGNALS:
    void spansChanged();

private:
    void readNext();
    void addSpans(const AttemptSpans &spans);

    QThread m_thread;
    QObject *m_reader;  // lives in m_thread, deleted when the thread ends
    WorkspaceLayout m_workspace;
    std::string m_folder;
    quint64 m_generation = 0;
    AttemptSpans m_spans;
    std::set<AttemptKey> m_wanted;
    bool m_requested = false;
};

}  // namespace sweepscope::ui
