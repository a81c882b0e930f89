#include "ui/devices/devicemenu.h"

#include "ui/models/devicewords.h"
#include "ui/theme/spacing.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QWidgetAction>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

DeviceMenu::DeviceMenu(QWidget *parent)
    : QMenu(parent),
      m_whyLabel(new QLabel(this)),
      m_why(new QWidgetAction(this)),
      m_exclude(addChange("exclude", &m_excludeChange)),
      m_pin(addChange("pin", &m_pinChange)),
      m_choose(addAction(QString(), this, &DeviceMenu::choiceRequested))
{
    setToolTipsVisible(true);
    m_choose->setObjectName(u"chooseGpus"_s);
    m_choose->setVisible(false);
    m_whyLabel->setTextFormat(Qt::PlainText);
    m_whyLabel->setContentsMargins(spacing::medium, spacing::small, spacing::medium, spacing::small);
    m_why->setObjectName(u"whyFixed"_s);
    m_why->setDefaultWidget(m_whyLabel);
    m_why->setVisible(false);
    insertAction(m_exclude, m_why);
    addSeparator();
    addCopy(tr("Copy “exclude” line for a sweep file"), "copyExclude", excludeLine);
    addCopy(tr("Copy “pin” line for a sweep file"), "copyPin", pinLine);
    addCopy(tr("Copy UUID"), "copyId", [](const protocol::DeviceStatus &device) { return device.id; });
}

QAction *DeviceMenu::addChange(const char *name, const sweep::GpuListChange *change)
{
    QAction *action = addAction(QString(), this, [this, change] { Q_EMIT changeRequested(*change); });
    action->setObjectName(QLatin1StringView(name));
    action->setVisible(false);
    return action;
}

void DeviceMenu::addCopy(const QString &text, const char *name, QString (*line)(const protocol::DeviceStatus &))
{
    QAction *action = addAction(text, this, [this, line] {
        const QString copy = line(m_device);
        QGuiApplication::clipboard()->setText(copy);
        Q_EMIT copied(copy);
    });
    action->setObjectName(QLatin1StringView(name));
}

void DeviceMenu::showSweep(const SweepGpus &shown)
{
    const sweep::GpuIdentity *gpu = shown.gpu(m_device.id);
    const sweep::GpuRule rule = gpu ? sweep::gpuRule(shown.devices, *gpu) : sweep::GpuRule::None;
    m_excludeChange = rule == sweep::GpuRule::Excluded ? sweep::GpuListChange::Include : sweep::GpuListChange::Exclude;
    m_pinChange = rule == sweep::GpuRule::Pinned ? sweep::GpuListChange::Unpin : sweep::GpuListChange::Pin;
    const QString name = QString(shown.name).replace(u'&', u"&&"_s);  // not a mnemonic
    m_exclude->setText(rule == sweep::GpuRule::Excluded ? tr("Allow %1 to use this GPU…").arg(name)
                                                        : tr("Exclude from %1…").arg(name));
    m_pin->setText(rule == sweep::GpuRule::Pinned ? tr("Unpin for %1…").arg(name)
                   : shown.devices.pin.empty()    ? tr("Pin only this GPU for %1…").arg(name)
                                                  : tr("Also pin this GPU for %1…").arg(name));
    m_choose->setText(tr("Choose GPUs for %1…").arg(name));
    for (QAction *action : {m_exclude, m_pin, m_choose}) {
        action->setVisible(gpu != nullptr);
        action->setEnabled(shown.whyFixed.isEmpty());
        action->setToolTip(shown.whyFixed);
    }
    const QString why = gpu ? shown.whyFixed : QString();
    m_whyLabel->setText(why);
    m_why->setText(why);  // for screen readers
    m_why->setVisible(!why.isEmpty());
}

}  // namespace sweepscope::ui
