#include "ui/editor/devicessection.h"

#include "ui/editor/commandline.h"
#include "ui/editor/formfield.h"
#include "ui/editor/keyfield.h"
#include "ui/editor/machinechoice.h"

#include <QLabel>
#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

DevicesSection::DevicesSection(QWidget *parent)
    : FormSection(tr("Devices"), QString(), parent),
      m_machine(new QLabel(this)),
      m_choice(new MachineChoice),
      m_choiceField(new FormField(u"devices.machineChoice"_s, tr("Machines"), m_choice, this))
{
    m_machine->setObjectName(u"devices.machine"_s);
    m_machine->setForegroundRole(QPalette::PlaceholderText);
    m_machine->setWordWrap(true);
    body()->addWidget(m_machine);
    m_choice->setFocusPolicy(Qt::NoFocus);  // its boxes have it
    m_choiceField->setHelp(tr("A trial runs on the first machine with free devices"));
    body()->addWidget(m_choiceField);
    FieldGrid *usual = addGrid();
    FieldGrid *more = addFoldedGrid(u"devices.more"_s, tr("More GPU and core settings"));
    for (const sweep::Key &key : sweep::keysOf("devices")) {
        KeyField *field = addKey(key.isUsual ? usual : more, key.path());
        if (key.path() == "devices.machines")
            m_machines = field;
    }
    connect(m_machines, &KeyField::edited, this, &DevicesSection::showMachines);
    connect(m_choice, &MachineChoice::edited, this, [this] {
        std::vector<std::string> names;
        for (const QString &name : m_choice->machines())
            names.push_back(name.toStdString());
        m_machines->show(joinCommandLine(names));
        Q_EMIT edited(m_machines->path());
    });
    showMachines();
}

void DevicesSection::display(const SweepDraft &draft)
{
    FormSection::display(draft);
    showMachines();
}

void DevicesSection::setKnownMachines(const QStringList &names)
{
    m_choice->setKnown(names);
    showMachines();
}

/// As the field has them: it keeps what check boxes cannot say, such as a mistake.
void DevicesSection::showMachines()
{
    QStringList machines;
    if (const auto names = splitCommandLine(m_machines->text())) {
        for (const std::string &name : *names)
            machines << QString::fromStdString(name);
    }
    m_choice->show(machines);
    m_choiceField->setVisible(m_choice->hasOthers());
    m_machines->setNote(m_choice->hasOthers() ? QString() : tr("Add other machines on the Devices page."));
}

void DevicesSection::setMachineText(const QString &text)
{
    m_machine->setText(text);
}

}  // namespace sweepscope::ui
