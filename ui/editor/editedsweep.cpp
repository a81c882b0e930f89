#include "ui/editor/editedsweep.h"

#include "sweep/launchpreparation.h"
#include "sweep/singlerun.h"
#include "sweep/sweepfile.h"
#include "sweep/sweepfileedit.h"
#include "ui/editor/draftreading.h"
#include "ui/models/editability.h"

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

bool EditedSweep::isChangedBy(const sweep::SweepSpec &draft, const std::string &text) const
{
    if (!text.empty() && (sweep::losesComments(text, toml) || sweep::losesComments(toml, text)))
        return true;
    if (draft == spec)
        return false;
    sweep::SweepSpec resolved = draft;
    sweep::resolveForLaunch(resolved);
    return !(resolved == spec);
}

bool differsInGpusAlone(sweep::SweepSpec before, const sweep::SweepSpec &after)
{
    before.devices.pin = after.devices.pin;
    before.devices.exclude = after.devices.exclude;
    return before == after;
}

EditedSweep editedSweep(const sweep::SweepRecord &record)
{
    EditedSweep edited;
    edited.id = record.id;
    edited.name = QString::fromStdString(record.name);
    edited.spec = readDraft(draftOf(sweep::parseSweep(record.toml).spec)).spec;
    edited.toml = record.toml;
    edited.isRun = sweep::isRun(edited.spec);
    edited.hindrance = whyNotEdited(record, false);
    return edited;
}

QString numberedName(const sweep::SweepRecord &record)
{
    return u"#%1 %2"_s.arg(record.id).arg(QString::fromStdString(record.name));
}

}  // namespace sweepscope::ui
