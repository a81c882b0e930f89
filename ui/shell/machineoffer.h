#pragma once

#include "ui/base/noticebanner.h"

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

/// For a window on a machine that has no Sweepscope: offers to run trials there from this machine.
class MachineOffer : public NoticeBanner {
    Q_OBJECT

public:
    explicit MachineOffer(protocol::EngineClient *client, QWidget *parent = nullptr);

Q_SIGNALS:
    void accepted(const QString &address);

private:
    void follow();

    protocol::EngineClient *m_client;
};

}  // namespace sweepscope::ui
