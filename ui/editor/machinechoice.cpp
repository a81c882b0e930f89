#include "ui/editor/machinechoice.h"

#include "sweep/deviceplace.h"
#include "ui/theme/spacing.h"
#include "ui/theme/wraplayout.h"

#include <QCheckBox>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

const QString boxOfHere = QString::fromLatin1(sweep::thisMachine);
const QString boxOfAll = QString::fromLatin1(sweep::allMachines);

}  // namespace

MachineChoice::MachineChoice(QWidget *parent) : QWidget(parent)
{
    auto *layout = new WrapLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing::medium);
}

void MachineChoice::setKnown(const QStringList &names)
{
    if (m_known == names)
        return;
    m_known = names;
    build();
}

void MachineChoice::show(const QStringList &machines)
{
    const QStringList wanted = machines == QStringList(boxOfHere) ? QStringList() : machines;
    if (m_machines == wanted && !findChildren<QCheckBox *>().isEmpty())
        return;
    m_machines = wanted;
    build();
}

bool MachineChoice::hasOthers() const
{
    return !m_known.isEmpty() || !m_machines.isEmpty();
}

void MachineChoice::build()
{
    QStringList names{boxOfAll, boxOfHere};
    names += m_known;
    for (const QString &name : m_machines) {
        if (!names.contains(name))
            names << name;
    }
    const QList<QCheckBox *> before = findChildren<QCheckBox *>();
    const auto keeps = [&names](const QCheckBox *box) { return names.contains(box->objectName()); };
    const bool isSame = before.size() == names.size() && std::ranges::all_of(before, keeps);
    if (!isSame) {
        qDeleteAll(before);
        for (const QString &name : std::as_const(names)) {
            const QString label = name == boxOfAll    ? tr("All machines")
                                  : name == boxOfHere ? tr("This machine")
                                                      : QString(name).replace(u'&', u"&&"_s);
            auto *box = new QCheckBox(label, this);
            box->setObjectName(name);
            if (name != boxOfAll && name != boxOfHere && !m_known.contains(name))
                box->setToolTip(tr("This workspace has no machine %1").arg(name));
            connect(box, &QCheckBox::clicked, this, [this, name](bool isChecked) { change(name, isChecked); });
            layout()->addWidget(box);
        }
    }
    const bool isAll = m_machines.contains(boxOfAll);
    for (QCheckBox *box : findChildren<QCheckBox *>()) {
        const QString name = box->objectName();
        box->setChecked(isAll || m_machines.contains(name) || (m_machines.isEmpty() && name == boxOfHere));
        box->setEnabled(!isAll || name == boxOfAll);
    }
    updateGeometry();
}

void MachineChoice::change(const QString &name, bool isWanted)
{
    if (name == boxOfAll) {
        m_machines = isWanted ? QStringList(boxOfAll) : QStringList();
    } else if (isWanted) {
        if (m_machines.isEmpty())
            m_machines << boxOfHere;
        if (!m_machines.contains(name))
            m_machines << name;
    } else {
        m_machines.removeAll(name);
    }
    if (m_machines == QStringList(boxOfHere))
        m_machines.clear();
    build();
    Q_EMIT edited();
}

}  // namespace sweepscope::ui
