#include "ui/shell/stalenotice.h"

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

StaleNotice::StaleNotice(protocol::EngineClient *client, QWidget *pages, QWidget *parent)
    : QLabel(parent), m_client(client), m_pages(pages), m_veil(new Veil(pages))
{
    setObjectName(u"staleNotice"_s);
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setContentsMargins(spacing::large, spacing::small, spacing::large, spacing::small);
    hide();
    pages->installEventFilter(this);
    connect(client, &protocol::EngineClient::connected, this, &StaleNotice::follow);
    connect(client, &protocol::EngineClient::disconnected, this, &StaleNotice::follow);
    connect(client, &protocol::EngineClient::sweepsChanged, this, &StaleNotice::follow);
}

void StaleNotice::follow()
{
    const bool isConnected = m_client->isConnected();
    if (m_wasConnected && !isConnected)
        m_since = QDateTime::currentDateTime();
    else if (!isConnected && m_client->storedAt() > 0)
        m_since = QDateTime::fromMSecsSinceEpoch(m_client->storedAt() / nsPerMs);
    m_wasConnected = isConnected;
    const bool isStale = !isConnected && m_client->isMirror() && m_since.isValid();
    if (isStale)
        setText(tr("Nothing has come from %1 since %2. Trials go on there.")
                    .arg(m_client->workspaceName(), timeText(m_since)));
    setVisible(isStale);
    m_veil->setGeometry(m_pages->rect());
    m_veil->setVisible(isStale);
    m_veil->raise();
}

bool StaleNotice::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_pages && event->type() == QEvent::Resize)
        m_veil->setGeometry(m_pages->rect());
    return QLabel::eventFilter(watched, event);
}

void StaleNotice::paintEvent(QPaintEvent *event)
{
    QPainter(this).fillRect(rect(), hoverColor(palette()));
    QLabel::paintEvent(event);
}

}  // namespace sweepscope::ui
