#include "ui/shell/loadingcover.h"

#include "protocol/engineclient.h"

#include <QEvent>

#include <chrono>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

LoadingCover::LoadingCover(protocol::EngineClient *client, QWidget *parent) : QLabel(parent)
{
    setObjectName(u"loadingCover"_s);
    setAutoFillBackground(true);
    setAlignment(Qt::AlignCenter);
    setForegroundRole(QPalette::PlaceholderText);
    setGeometry(parent->rect());
    parent->installEventFilter(this);
    raise();
    show();
    m_slow.setSingleShot(true);
    m_slow.setInterval(300ms);
    connect(&m_slow, &QTimer::timeout, this, [this] { setText(tr("Loading sweeps…")); });
    m_slow.start();
    // Queued, because others choose the first page on the same signals.
    for (const auto signal : {&protocol::EngineClient::connected, &protocol::EngineClient::sweepsChanged})
        connect(client, signal, this, &QObject::deleteLater, Qt::QueuedConnection);
    connect(client, &protocol::EngineClient::disconnected, this, &QObject::deleteLater, Qt::QueuedConnection);
}

bool LoadingCover::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == parent() && event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    return QLabel::eventFilter(watched, event);
}

}  // namespace sweepscope::ui
