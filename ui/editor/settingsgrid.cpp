#include "ui/editor/settingsgrid.h"

#include "ui/editor/fieldgrid.h"
#include "ui/editor/folderline.h"
#include "ui/editor/formfield.h"
#include "ui/editor/settingtitles.h"
#include "ui/editor/valuelist.h"

#include <QComboBox>
#include <QLineEdit>
#include <QVBoxLayout>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

SettingsGrid::SettingsGrid(QWidget *parent) : FormSection(QString(), QString(), parent)
{
    FieldGrid *usual = addGrid();
    FieldGrid *more = addFoldedGrid(u"run.more"_s, tr("More settings"));
    for (const sweep::Key &setting : sweep::builtinSettings()) {
        const bool isUsual = isUsualSetting(QString::fromStdString(setting.name));
        add(isUsual ? usual : more, setting);
    }
}

void SettingsGrid::add(FieldGrid *grid, const sweep::Key &setting)
{
    const QString name = QString::fromStdString(setting.name);
    const QString path = u"run."_s + name;
    const QString standard = textOfValue(setting.defaultValue);
    Entry entry{&setting, nullptr, nullptr, nullptr};
    if (setting.type == sweep::KeyType::Choice || setting.type == sweep::KeyType::Boolean) {
        entry.box = new QComboBox;
        entry.box->addItem(tr("%1 (default)").arg(standard), QString());
        for (const std::string &choice : setting.choices)
            entry.box->addItem(QString::fromStdString(choice), QString::fromStdString(choice));
        if (setting.type == sweep::KeyType::Boolean) {
            entry.box->addItem(u"true"_s, u"true"_s);
            entry.box->addItem(u"false"_s, u"false"_s);
        }
        entry.field = addBox(grid, path, settingLabel(name), entry.box);
    } else if (setting.type == sweep::KeyType::String && name.endsWith("folder"_L1)) {
        auto *folder = new FolderLine(tr("Folder with the data"));
        entry.line = folder->line();
        entry.field = addHeld(grid, path, settingLabel(name), entry.line, folder, 2);
    } else {
        entry.line = new QLineEdit;
        entry.field = addLine(grid, path, settingLabel(name), entry.line);
    }
    if (entry.line)
        entry.line->setPlaceholderText(standard.isEmpty() ? QString() : tr("%1 (default)").arg(standard));
    entry.field->setHelp(tr("%1: %2").arg(name, QString::fromStdString(setting.description)));
    m_entries.push_back(entry);
}

void SettingsGrid::display(const SweepDraft &draft)
{
    m_kept = draft.settings;
    for (const Entry &entry : m_entries) {
        const QString name = QString::fromStdString(entry.setting->name);
        const QString text = draft.settings.value(name);
        m_kept.remove(name);
        if (entry.box)
            chooseData(entry.box, text);
        else
            showText(entry.line, text);
        const bool varied = std::any_of(draft.space.begin(), draft.space.end(), [&](const DimensionDraft &dimension) {
            return dimension.name.trimmed() == name;
        });
        entry.field->setEnabled(!varied);
        entry.field->setNote(varied ? tr("In the search space") : QString());
    }
}

void SettingsGrid::readInto(SweepDraft &draft) const
{
    draft.settings = m_kept;
    for (const Entry &entry : m_entries) {
        const QString text = entry.box ? entry.box->currentData().toString() : entry.line->text();
        if (!text.isEmpty())
            draft.settings.insert(QString::fromStdString(entry.setting->name), text);
    }
}

}  // namespace sweepscope::ui
