#pragma once

#include "sweep/records.h"

#include <QWidget>

class QIcon;
class QLabel;
class QPushButton;

namespace sweepscope::ui {

class DocumentTitle;
class IconLabel;
class TomlPanel;

/// Shows the definition of a sweep of the workspace, to be read, edited, or copied to a new sweep.
class SweepDefinition : public QWidget {
    Q_OBJECT

public:
    explicit SweepDefinition(QWidget *parent = nullptr);

    void showSweep(const sweep::SweepRecord &sweep, const QIcon &state, WallNs now, bool readOnly);
    qint64 sweepId() const { return m_sweepId; }

Q_SIGNALS:
    void editRequested(qint64 sweepId);
    void copyRequested(qint64 sweepId);
    void editorRequested();

private:
    IconLabel *m_icon;
    DocumentTitle *m_title;
    QLabel *m_when;
    QPushButton *m_edit;
    QPushButton *m_copy;
    QPushButton *m_back;
    TomlPanel *m_toml;
    qint64 m_sweepId = 0;
};

}  // namespace sweepscope::ui
