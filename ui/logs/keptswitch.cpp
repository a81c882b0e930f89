#include "ui/logs/keptswitch.h"

#include <QAbstractButton>
#include <QSettings>

namespace sweepscope::ui {

void keepChecked(QAbstractButton *button, QSettings *settings, const QString &key)
{
    button->setChecked(settings->value(key, button->isChecked()).toBool());
    QObject::connect(button, &QAbstractButton::toggled, settings,
                     [settings, key](bool checked) { settings->setValue(key, checked); });
}

}  // namespace sweepscope::ui
