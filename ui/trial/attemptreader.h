#pragma once

#include "ui/trial/attemptfiles.h"

#include <QObject>
#include <QThread>
#include <QTimer>

namespace sweepscope::ui {

/// Reads an attempt's folder on a separate thread, repeatedly while the page is visible and the attempt may change.
class AttemptReader : public QObject {
    Q_OBJECT

public:
    explicit AttemptReader(QObject *parent = nullptr);
    ~AttemptReader() override;

    /// `changing`: the attempt is running.
    void setSource(const AttemptSource &source, bool changing);
    /// Reads the files of an attempt that has ended once more: some have come only now.
    void readAgain();
    /// Inactive while the page is hidden.
    void setActive(bool active);

Q_SIGNALS:
    void contentsRead(const sweepscope::ui::AttemptContents &contents);

private:
    class Worker;
    void request();
    void updateTimer();

    QThread m_thread;
    Worker *m_worker;  // lives in m_thread, deleted when the thread ends
    QTimer m_timer;
    AttemptSource m_source;
    quint64 m_generation = 0;
    bool m_changing = false;
    bool m_active = false;
    bool m_requested = false;
    bool m_requestAgain = false;
};

}  // namespace sweepscope::ui
