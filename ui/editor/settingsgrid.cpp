#include "ui/editor/settingsgrid.h"

#include "ui/editor/keyfield.h"

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

SettingsGrid::SettingsGrid(QWidget *parent) : FormSection(QString(), QString(), parent)
{
    FieldGrid *usual = addGrid();
    FieldGrid *more = addFoldedGrid(u"run.more"_s, tr("More settings"));
    for (const sweep::Key &setting : sweep::builtinSettings())
        addKey(setting.isUsual ? usual : more, setting.path(), KeyField::isFolder(setting) ? 2 : 1);
}

}  // namespace sweepscope::ui
