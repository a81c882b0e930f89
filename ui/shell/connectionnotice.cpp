#include "ui/shell/connectionnotice.h"

#include "protocol/engineclient.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"

#include <QEvent>
#include <QLocale>
#include <QPainter>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 nsPerMs = 1'000'000;

/// An effect on the pages themselves would leave traces of plots that have moved.
class Veil : public QWidget {
public:
    explicit Veil(QWidget *pages) : QWidget(pages)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        hide();
    }

protected:
    void paintEvent(QPaintEvent * /*event*/) override
    {
        constexpr int alpha = 120;
        QColor color = palette().color(QPalette::Window);
        color.setAlpha(alpha);
        QPainter(this).fillRect(rect(), color);
    }
};

QString timeText(const QDateTime &time)
{
    return time.date() == QDate::currentDate() ? QLocale().toString(time.time(), u"HH:mm:ss"_s)
                                               : QLocale().toString(time, QLocale::ShortFormat);
}

}  // namespace

ConnectionNotice::ConnectionNotice(protocol::EngineClient *client, QWidget *pages, QWidget *parent)
    : QLabel(parent), m_client(client), m_pages(pages), m_veil(new Veil(pages))
{
    setObjectName(u"connectionNotice"_s);
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setContentsMargins(spacing::large, spacing::small, spacing::large, spacing::small);
    hide();
    pages->installEventFilter(this);
    connect(client, &protocol::EngineClient::connected, this, &ConnectionNotice::follow);
    connect(client, &protocol::EngineClient::disconnected, this, &ConnectionNotice::follow);
    connect(client, &protocol::EngineClient::sweepsChanged, this, &ConnectionNotice::follow);
    // The client learns its workspace after the window is built.
    QMetaObject::invokeMethod(this, &ConnectionNotice::follow, Qt::QueuedConnection);
}

void ConnectionNotice::follow()
{
    const bool isConnected = m_client->isConnected();
    if (m_wasConnected && !isConnected)
        m_since = QDateTime::currentDateTime();
    else if (!isConnected && m_client->storedAt() > 0)
        m_since = QDateTime::fromMSecsSinceEpoch(m_client->storedAt() / nsPerMs);
    m_wasConnected = isConnected;
    const bool isCutOff = !isConnected && m_client->isMirror();
    const QString there = m_client->workspaceName();
    QString why = m_client->errorText();
    if (why.endsWith(u'.'))
        why.chop(1);
    if (isCutOff && m_since.isValid())
        setText(tr("No connection to %1. This is its state at %2; trials keep running there.")
                    .arg(there, timeText(m_since)));
    else if (isCutOff)
        setText(why.isEmpty() ? tr("Connecting to %1…").arg(there)
                              : tr("Not connected. %1. Sweepscope keeps trying.").arg(why));
    const bool isOffered = !m_client->notInstalledOn().isEmpty();  // MachineOffer says so
    setVisible(isCutOff && !isOffered);
    m_veil->setGeometry(m_pages->rect());
    m_veil->setVisible(isCutOff);
    m_veil->raise();
}

bool ConnectionNotice::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_pages && event->type() == QEvent::Resize)
        m_veil->setGeometry(m_pages->rect());
    return QLabel::eventFilter(watched, event);
}

void ConnectionNotice::paintEvent(QPaintEvent *event)
{
    QPainter(this).fillRect(rect(), hoverColor(palette()));
    QLabel::paintEvent(event);
}

}  // namespace sweepscope::ui
