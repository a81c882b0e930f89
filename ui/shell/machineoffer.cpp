#include "ui/shell/machineoffer.h"

#include "protocol/engineclient.h"
#include "ui/theme/icons.h"

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

MachineOffer::MachineOffer(protocol::EngineClient *client, QWidget *parent) : NoticeBanner(parent), m_client(client)
{
    setObjectName(u"machineOffer"_s);
    connect(client, &protocol::EngineClient::connected, this, &MachineOffer::follow);
    connect(client, &protocol::EngineClient::disconnected, this, &MachineOffer::follow);
    connect(this, &NoticeBanner::actionClicked, this, [this] { Q_EMIT accepted(m_client->notInstalledOn()); });
}

void MachineOffer::follow()
{
    const QString address = m_client->notInstalledOn();
    setNotice(Kind::Note, symbolIcon(u"warning"_s),
              address.isEmpty()
                  ? QString()
                  : tr("Sweepscope is not installed on %1. An engine on this machine can run trials there; "
                       "nothing needs to be installed.")
                        .arg(address),
              tr("Add machine…"));
}

}  // namespace sweepscope::ui
