#include "ui/trials/cellcondition.h"

#include "ui/models/trialfilter.h"
#include "ui/models/trialtablemodel.h"
#include "ui/models/valuetext.h"

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

QString cellCondition(const TrialTableModel &model, const QModelIndex &cell)
{
    const sweep::TrialRecord &trial = model.trial(cell.row());
    switch (model.columnKind(cell.column())) {
    case TrialColumn::Parameter: {
        const QString name = model.columnId(cell.column()).mid(u"parameter."_s.size());
        const sweep::ParameterValue *value = sweep::find(trial.parameters, name.toStdString());
        return value ? u"%1 = %2"_s.arg(TrialFilter::parameterName(name), TrialFilter::quoted(exactText(*value)))
                     : QString();
    }
    case TrialColumn::State:
        return u"%1 = %2"_s.arg(model.parameterSection(u"state"_s) < 0 ? u"state"_s : u"trial.state"_s,
                                QString::fromStdString(sweep::toString(trial.state)));
    default:
        return {};
    }
}

}  // namespace sweepscope::ui
