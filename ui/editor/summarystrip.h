#pragma once

#include "ui/editor/placedproblem.h"
#include "ui/editor/sweepcheck.h"

#include <QFrame>

#include <optional>
#include <vector>

class QLabel;
class QListWidget;
class QPushButton;
class QToolButton;

namespace sweepscope::ui {

/// Always in sight: how many trials the form amounts to, what is wrong, and Start.
class SummaryStrip : public QFrame {
    Q_OBJECT

public:
    struct Entry {
        QString title;  ///< the field's label
        PlacedProblem problem;
        bool hindersStart = true;  ///< not only that it is applied to a sweep that exists
    };
    /// The sweep that exists, and that what is typed may be applied to.
    struct Target {
        QString number;     ///< "#3"
        bool isChanged;     ///< what is typed is another definition than it has
        QString hindrance;  ///< why it cannot be changed; empty: it can

        bool operator==(const Target &) const = default;
    };

    explicit SummaryStrip(QWidget *parent = nullptr);

    void showResult(const CheckResult &result, const std::vector<Entry> &problems);
    /// Why Start cannot be pressed, other than the problems; empty: it can.
    void setHindrance(const QString &reason);
    /// What the plan says, as far as there is one: how many trials run at once, which may be fewer than the sweep allows, and
    /// how long all of it takes ("about 12 min").
    void setPlan(std::optional<int> atOnce, const QString &time);
    /// Nothing: all that can be done is to start a new sweep.
    void setTarget(const std::optional<Target> &target);
    QString summary() const;
    /// Empty: the changes can be applied.
    QString whyNotApplied() const;
    /// Applies to a sweep that exists, else starts, as the button that stands out does. Returns why that is impossible now;
    /// empty: it was requested.
    QString submit();

Q_SIGNALS:
    void startRequested();
    void applyRequested();
    void allocationRequested();  ///< which trial would get which device, and when
    void problemActivated(const PlacedProblem &problem);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void followRoom();
    QString whyNotHandedOver(bool isStart) const;
    void followTarget();
    void followState();
    void enable(QPushButton *button, bool on);
    void followDetails();

    QListWidget *m_list;
    QLabel *m_trials;
    QLabel *m_details;
    QLabel *m_reason;
    QToolButton *m_allocation;
    QPushButton *m_start;
    QPushButton *m_apply;
    QPushButton *m_hadKeys = nullptr;
    std::vector<Entry> m_problems;
    std::optional<Target> m_target;
    QString m_hindrance;
    std::optional<sweep::SweepSpec> m_spec;  ///< empty: there are no trials yet
    std::optional<int> m_atOnce;
    QString m_time;
    bool m_checked = false;
};

/// "12 trials", "1 trial".
QString trialsText(std::uint64_t trials);
/// "2 ranks each · 1 at once"; without a plan what the sweep allows: "2 ranks each · at most 4 at once".
QString detailsText(const sweep::SweepSpec &spec, std::optional<int> atOnce);

}  // namespace sweepscope::ui
