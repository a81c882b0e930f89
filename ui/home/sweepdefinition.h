#pragma once

#include "sweep/records.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace sweepscope::ui {

class TomlPanel;

/// What a sweep of the workspace was started with: to be read, and to be taken as the start of a new one.
class SweepDefinition : public QWidget {
    Q_OBJECT

public:
    explicit SweepDefinition(QWidget *parent = nullptr);

    void showSweep(const sweep::SweepRecord &sweep, WallNs now);
    qint64 sweepId() const { return m_sweepId; }

Q_SIGNALS:
    void copyRequested(qint64 sweepId);
    void editorRequested();

private:
    QLabel *m_icon;
    QLabel *m_title;
    QLabel *m_when;
    QPushButton *m_copy;
    QPushButton *m_back;
    TomlPanel *m_toml;
    qint64 m_sweepId = 0;
};

}  // namespace sweepscope::ui
