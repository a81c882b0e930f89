#pragma once

#include <QDateTime>
#include <QLabel>

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

/// Greys the pages of a window on another machine's workspace while there is no connection, and says how old they are.
class StaleNotice : public QLabel {
    Q_OBJECT

public:
    StaleNotice(protocol::EngineClient *client, QWidget *pages, QWidget *parent = nullptr);

private:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void follow();

    protocol::EngineClient *m_client;
    QWidget *m_pages;
    QWidget *m_veil;  ///< over the pages; the mouse reaches them
    bool m_wasConnected = false;
    QDateTime m_since;  ///< the connection was lost
};

}  // namespace sweepscope::ui
