#include "ui/theme/symboliconengine.h"

#include "ui/theme/breezeicons.h"

#include <QFile>
#include <QGuiApplication>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

QColor colorFor(QIcon::Mode mode, QPalette::ColorRole role)
{
    const QPalette palette = QGuiApplication::palette();
    if (mode == QIcon::Disabled)
        return palette.color(QPalette::Disabled, role);
    return palette.color(QPalette::Active, role);
}

QByteArray drawing(const QString &path, const QColor &color)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return file.readAll().replace("currentColor", color.name().toLatin1());
}

}  // namespace

SymbolIconEngine::SymbolIconEngine(QString name, QPalette::ColorRole role) : m_name(std::move(name)), m_role(role) {}

void SymbolIconEngine::paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state)
{
    const qreal scale = painter->device()->devicePixelRatioF();
    painter->drawPixmap(rect, scaledPixmap(rect.size() * scale, mode, state, scale));
}

QPixmap SymbolIconEngine::pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state)
{
    return scaledPixmap(size, mode, state, 1.0);
}

QPixmap SymbolIconEngine::scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State, qreal scale)
{
    if (size.isEmpty())  // a button without a layout yet
        return {};
    const QColor color = colorFor(mode, m_role);
    const QString key =
        u"sweepscope-symbol-%1-%2x%3-%4"_s.arg(m_name).arg(size.width()).arg(size.height()).arg(color.rgba());
    QPixmap pixmap;
    if (!QPixmapCache::find(key, &pixmap)) {
        QSvgRenderer renderer;
        const QString breeze = breezeIconFile(m_name, qRound(size.height() / scale));
        if (breeze.isEmpty() || !renderer.load(drawing(breeze, color))) {
            const bool loaded = renderer.load(drawing(u":/icons/%1.svg"_s.arg(m_name), color));
            Q_ASSERT_X(loaded, "SymbolIconEngine", qPrintable(m_name));
        }
        pixmap = QPixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        renderer.setAspectRatioMode(Qt::KeepAspectRatio);
        renderer.render(&painter, QRectF(QPointF(), QSizeF(size)));
        painter.end();
        QPixmapCache::insert(key, pixmap);
    }
    pixmap.setDevicePixelRatio(scale);
    return pixmap;
}

QIconEngine *SymbolIconEngine::clone() const
{
    return new SymbolIconEngine(*this);
}

QString SymbolIconEngine::key() const
{
    return u"sweepscope-symbol"_s;
}

}  // namespace sweepscope::ui
