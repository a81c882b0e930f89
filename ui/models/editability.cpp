#include "ui/models/editability.h"

#include <QCoreApplication>

namespace sweepscope::ui {

namespace {

struct EditabilityWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::Editability)
};

}  // namespace

QString whyNotEdited(const sweep::SweepRecord &record, bool readOnly)
{
    if (readOnly)
        return EditabilityWords::tr("This window is read-only");
    return record.state == sweep::SweepState::Stopping ? EditabilityWords::tr("The sweep is stopping") : QString();
}

QString whyNoEditUndone(const sweep::SweepRecord &record, bool readOnly)
{
    const QString why = whyNotEdited(record, readOnly);
    return why.isEmpty() && record.edits == 0 ? EditabilityWords::tr("The sweep has not been edited") : why;
}

}  // namespace sweepscope::ui
