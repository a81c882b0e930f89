#pragma once

#include "ui/trial/attemptfiles.h"

#include <QObject>
#include <QThread>
#include <QTimer>

namespace sweepscope::ui {

/// Reads an attempt's folder on a thread of its own, again and again while somebody looks and it may change.
class AttemptReader : public QObject {
    Q_OBJECT

public:
    explicit AttemptReader(QObject *parent = nullptr);
    ~AttemptReader() override;

    /// `changing`: the attempt runs.
    void setSource(const AttemptSource &source, bool changing);
    /// Off while nobody looks.
    void setActive(bool active);

Q_SIGNALS:
    void contentsRead(const sweepscope::ui::AttemptContents &contents);

private:
    class Worker;
    void ask();
    void updateTimer();

    QThread m_thread;
    Worker *m_worker;  // lives in m_thread, deleted when it ends
    QTimer m_timer;
    AttemptSource m_source;
    quint64 m_generation = 0;
    bool m_changing = false;
    bool m_active = false;
    bool m_asked = false;
    bool m_askAgain = false;
};

}  // namespace sweepscope::ui
