#pragma once

#include <QDateTime>
#include <QLabel>

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

/// Says why a window on another machine's workspace has no connection and how old its pages are, which it greys.
class ConnectionNotice : public QLabel {
    Q_OBJECT

public:
    ConnectionNotice(protocol::EngineClient *client, QWidget *pages, QWidget *parent = nullptr);

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
