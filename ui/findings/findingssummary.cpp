#include "ui/findings/findingssummary.h"

#include <QCoreApplication>
#include <QStringList>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct FindingsSummaryWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::FindingsSummary)
};

}  // namespace

QString summaryText(const FindingsSummary &summary)
{
    using Words = FindingsSummaryWords;
    // The first part says how many trials there are.
    QStringList parts;
    const auto add = [&](int count, const QString &what) {
        if (count == 0)
            return;
        if (!parts.isEmpty())
            parts << Words::tr("%L1 %2").arg(count).arg(what);
        else if (summary.trials == 1)
            parts << Words::tr("The trial %1").arg(what);
        else
            parts << Words::tr("%L1 of %L2 trials %3").arg(count).arg(summary.trials).arg(what);
    };
    const auto with = [&](diagnosis::Severity severity) {
        const auto found = summary.found.find(severity);
        return found == summary.found.end() ? 0 : static_cast<int>(found->second.size());
    };
    add(summary.failed, Words::tr("failed"));
    add(with(diagnosis::Severity::Problem), Words::tr("with problems"));
    add(with(diagnosis::Severity::Warning), Words::tr("with warnings"));
    add(with(diagnosis::Severity::Note), Words::tr("with notes"));
    return parts.join(u" · "_s);
}

}  // namespace sweepscope::ui
