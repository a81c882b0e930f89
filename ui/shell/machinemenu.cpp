#include "ui/shell/machinemenu.h"

#include "remote/sshtarget.h"

#include <QInputDialog>
#include <QMessageBox>
#include <QSettings>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr auto key = "machines/recent"_L1;
constexpr qsizetype mostRecent = 10;
constexpr int dialogWidth = 460;

}  // namespace

MachineMenu::MachineMenu(QSettings *settings, QWidget *parent)
    : QMenu(tr("Connect to &machine"), parent), m_settings(settings)
{
    setObjectName(u"machineMenu"_s);
    connect(this, &QMenu::aboutToShow, this, &MachineMenu::fill);
    fill();
}

QStringList MachineMenu::recent(const QSettings &settings)
{
    return settings.value(key).toStringList();
}

void MachineMenu::remember(QSettings &settings, const QString &address)
{
    QStringList addresses = recent(settings);
    addresses.removeAll(address);
    addresses.prepend(address);
    settings.setValue(key, addresses.first(std::min(addresses.size(), mostRecent)));
}

void MachineMenu::fill()
{
    clear();
    QAction *other = addAction(tr("&Address…"), this, &MachineMenu::ask);
    other->setObjectName(u"connectAction"_s);
    const QStringList addresses = recent(*m_settings);
    if (!addresses.isEmpty())
        addSeparator();
    for (const QString &address : addresses) {
        QString text = address;
        addAction(text.replace(u'&', u"&&"_s), this, [this, address] { Q_EMIT chosen(address); });
    }
}

void MachineMenu::ask()
{
    auto *dialog = new QInputDialog(parentWidget());
    dialog->setObjectName(u"connectDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Connect to machine"));
    dialog->setLabelText(tr("Address of the machine, optionally with a workspace folder: user@host, or\n"
                            "ssh://user@host:port/folder"));
    dialog->setComboBoxItems(recent(*m_settings));
    dialog->setComboBoxEditable(true);
    dialog->setTextValue(recent(*m_settings).value(0));
    dialog->setOkButtonText(tr("Connect"));
    dialog->resize(dialogWidth, dialog->sizeHint().height());
    connect(dialog, &QInputDialog::textValueSelected, this, &MachineMenu::choose);
    dialog->open();
}

void MachineMenu::choose(const QString &text)
{
    const Expected<remote::SshTarget> target = remote::parseSshTarget(text.trimmed().toStdString());
    if (target) {
        Q_EMIT chosen(QString::fromStdString(toString(*target)));
        return;
    }
    auto *box = new QMessageBox(QMessageBox::Warning, tr("Connect to machine"),
                                QString::fromStdString(target.error().message), QMessageBox::Ok, parentWidget());
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

}  // namespace sweepscope::ui
