#pragma once

#include "ui/editor/placedproblem.h"
#include "ui/editor/sweepcheck.h"

#include <QFrame>

#include <vector>

class QLabel;
class QListWidget;
class QPushButton;

namespace sweepscope::ui {

/// Always in sight: how many trials the form amounts to, what is wrong, and Start.
class SummaryStrip : public QFrame {
    Q_OBJECT

public:
    struct Entry {
        QString title;  ///< the field's label
        PlacedProblem problem;
    };

    explicit SummaryStrip(QWidget *parent = nullptr);

    void showResult(const CheckResult &result, const std::vector<Entry> &problems);
    /// Why Start cannot be pressed, other than the problems; empty: it can.
    void setHindrance(const QString &reason);
    /// How long it takes, as far as it is known: "about 12 min".
    void setTime(const QString &time);
    QString summary() const;

Q_SIGNALS:
    void startRequested();
    void problemActivated(const PlacedProblem &problem);

private:
    void followState();
    void followDetails();

    QListWidget *m_list;
    QLabel *m_trials;
    QLabel *m_details;
    QLabel *m_reason;
    QPushButton *m_start;
    std::vector<Entry> m_problems;
    QString m_hindrance;
    QString m_plain;  ///< the details without the time
    QString m_time;
    bool m_checked = false;
};

/// "12 trials", "1 trial".
QString trialsText(std::uint64_t trials);
/// "2 ranks each · 1 at a time"
QString detailsText(const sweep::SweepSpec &spec);

}  // namespace sweepscope::ui
