#pragma once

#include "ui/editor/allocationplanner.h"
#include "ui/editor/formsection.h"

class QTableView;

namespace sweepscope::ui {

class AllocationModel;

/// What would become of the sweep if it were started now, or how one goes on that is under way. Shows, and has nothing to fill in.
class AllocationSection : public FormSection {
    Q_OBJECT

public:
    explicit AllocationSection(QWidget *parent);

    void display(const SweepDraft &) override {}
    void readInto(SweepDraft &) const override {}

    void showPreview(const AllocationPreview &preview);
    /// Why there is nothing to show.
    void showNothing(const QString &reason);

private:
    void tell(const QString &head, const QString &more);

    QLabel *m_head;
    QLabel *m_more;
    QTableView *m_table;
    AllocationModel *m_model;
};

/// "about 12 min", or nothing while it is not known.
QString planTimeText(const schedule::SweepPlan &plan);
/// The same, and of a sweep that is under way what is left of it: "20 trials left, about 57 min".
QString planEndText(const AllocationPreview &preview);

}  // namespace sweepscope::ui
