#pragma once

#include "ui/timeline/attemptspans.h"

#include <QObject>
#include <QThread>

#include <memory>
#include <set>

namespace sweepscope::ui {

/// Reads on a thread of its own what only the files of attempts tell, a bounded number at a time, and keeps it.
class TimelineData : public QObject {
    Q_OBJECT

public:
    explicit TimelineData(QObject *parent = nullptr);
    ~TimelineData() override;

    /// Of another sweep nothing is known yet.
    void setSweep(const QString &workspace, const sweep::SweepRecord &sweep);
    /// Answer: spansChanged, when there is something new. What has ended is read once.
    void want(const std::vector<AttemptKey> &attempts);
    const AttemptSpans &spans() const { return m_spans; }

Q_SIGNALS:
    void spansChanged();

private:
    void readNext();
    void take(const AttemptSpans &spans);

    QThread m_thread;
    QObject *m_reader;  // lives in m_thread, deleted when it ends
    WorkspaceLayout m_workspace;
    std::string m_folder;
    quint64 m_generation = 0;
    AttemptSpans m_spans;
    std::set<AttemptKey> m_wanted;
    bool m_asked = false;
};

}  // namespace sweepscope::ui
