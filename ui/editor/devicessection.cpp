#include "ui/editor/devicessection.h"

#include "ui/editor/keyfield.h"

#include <QLabel>
#include <QVBoxLayout>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

DevicesSection::DevicesSection(QWidget *parent)
    : FormSection(tr("Devices"), QString(), parent), m_machine(new QLabel(this))
{
    m_machine->setObjectName(u"devices.machine"_s);
    m_machine->setForegroundRole(QPalette::PlaceholderText);
    m_machine->setWordWrap(true);
    body()->addWidget(m_machine);
    FieldGrid *usual = addGrid();
    FieldGrid *more = addFoldedGrid(u"devices.more"_s, tr("More GPU and core settings"));
    for (const sweep::Key &key : sweep::keysOf("devices"))
        addKey(key.isUsual ? usual : more, key.path());
}

void DevicesSection::setMachineText(const QString &text)
{
    m_machine->setText(text);
}

}  // namespace sweepscope::ui
