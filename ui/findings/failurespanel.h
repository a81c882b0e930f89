#pragma once

#include "sweep/failuregroups.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QScrollArea;

namespace sweepscope::ui {

/// The failed trials of a sweep, equal causes together: how many, the first cause, and what can be done.
class FailuresPanel : public QWidget {
    Q_OBJECT

public:
    explicit FailuresPanel(QWidget *parent = nullptr);

    /// `mayRetry`: false disables the buttons, for instance in a read-only window. `whyNot` does so too, as their tooltip.
    void showFailures(const std::vector<sweep::FailureGroup> &groups, bool mayRetry, const QString &whyNot = {});
    /// Sets the height beyond which the rows scroll.
    void setRoom(int height);

Q_SIGNALS:
    void logRequested(int trial);
    void trialRequested(int trial);
    void retryRequested(const std::vector<int> &trials);

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    void fitRows();
    void addGroup(const sweep::FailureGroup &group);

    std::vector<sweep::FailureGroup> m_groups;
    bool m_mayRetry = false;
    QString m_whyNot;
    QScrollArea *m_scroll;
    QWidget *m_rows = nullptr;
    int m_room = 400;
    QGridLayout *m_grid = nullptr;
};

}  // namespace sweepscope::ui
