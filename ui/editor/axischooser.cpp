#include "ui/editor/axischooser.h"

#include <QSignalBlocker>
#include <QWheelEvent>

namespace sweepscope::ui {

AxisChooser::AxisChooser(QWidget *parent) : QComboBox(parent)
{
    setSizeAdjustPolicy(AdjustToContents);
    setFocusPolicy(Qt::StrongFocus);
    connect(this, &QComboBox::activated, this, [this] { m_chosen = currentText(); });
}

void AxisChooser::offer(const std::vector<analysis::Parameter> &parameters, int usual)
{
    QStringList names;
    for (const analysis::Parameter &parameter : parameters)
        names << QString::fromStdString(parameter.name);
    names << tr("Trial");
    const QSignalBlocker blocker(this);
    if (names != m_names) {
        clear();
        addItems(names);
        m_names = names;
    }
    const auto kept = m_chosen.isEmpty() ? -1 : names.indexOf(m_chosen);
    setCurrentIndex(static_cast<int>(kept >= 0 ? kept : usual == trialNumber ? names.size() - 1 : usual));
}

int AxisChooser::parameter() const
{
    return currentIndex() + 1 < count() ? currentIndex() : trialNumber;
}

void AxisChooser::wheelEvent(QWheelEvent *event)
{
    if (hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

}  // namespace sweepscope::ui
