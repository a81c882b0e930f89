#include "ui/plot/plotpicture.h"

#include "ui/plot/liveplot.h"
#include "ui/plot/picturekey.h"
#include "ui/theme/fonts.h"
#include "ui/theme/plotcolors.h"
#include "ui/theme/spacing.h"

#include <QBuffer>
#include <QEvent>
#include <QFileInfo>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>
#include <memory>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int pointsPerInch = 72;
constexpr double metersPerInch = 0.0254;

/// Title, plots and key, below each other.
class Sheet {
public:
    Sheet(LivePlot &plot, const QString &title)
        : m_plot(plot),
          m_title(title),
          m_font(smallFont(plot.font())),
          m_metrics(m_font),
          m_key(plot, m_font, plot.width())
    {
        m_lineHeight = m_metrics.height() + spacing::tiny;
        m_top = title.isEmpty() ? 0 : m_lineHeight + spacing::small;
        m_size = QSize(plot.width(), m_top + plot.height() + m_key.height());
    }
    QSize size() const { return m_size; }

    void paint(QCPPainter &painter)
    {
        const PlotColors colors = plotColors(m_plot.palette());
        painter.setFont(m_font);
        painter.setPen(colors.text);
        const QRect titleArea(spacing::small, spacing::tiny, m_size.width() - 2 * spacing::small, m_lineHeight);
        painter.drawText(titleArea, Qt::AlignLeft | Qt::AlignVCenter,
                         m_metrics.elidedText(m_title, Qt::ElideRight, titleArea.width()));
        paintPlots(painter);
        painter.save();
        painter.translate(0, m_top + m_plot.height());
        m_key.paint(painter, colors);
        painter.restore();
    }

private:
    void paintPlots(QCPPainter &painter)
    {
        // The picture has no cursor.
        QCPLayer *overlay = m_plot.layer(u"overlay"_s);
        const bool wasVisible = overlay->visible();
        overlay->setVisible(false);
        setInPicture(true);
        painter.save();
        painter.translate(0, m_top);
        m_plot.toPainter(&painter, m_plot.width(), m_plot.height());
        painter.restore();
        setInPicture(false);
        m_plot.replot(QCustomPlot::rpQueuedReplot);
        overlay->setVisible(wasVisible);
    }

    void setInPicture(bool isInPicture)
    {
        for (const auto &pane : m_plot.panes())
            pane->setInPicture(isInPicture);
    }

    LivePlot &m_plot;
    QString m_title;
    QFont m_font;
    QFontMetrics m_metrics;
    PictureKey m_key;
    int m_lineHeight = 0;
    int m_top = 0;
    QSize m_size;
};

/// Changes the colours of a widget while it is recorded.
class OtherColors {
public:
    OtherColors(QWidget *widget, const QPalette &colors) : m_widget(widget)
    {
        if (!widget || widget->palette() == colors)
            return;
        m_before = widget->testAttribute(Qt::WA_SetPalette) ? widget->palette() : QPalette();
        widget->setPalette(colors);
    }
    ~OtherColors()
    {
        if (m_before)
            m_widget->setPalette(*m_before);
    }
    OtherColors(const OtherColors &) = delete;
    OtherColors &operator=(const OtherColors &) = delete;

private:
    QWidget *m_widget;
    std::optional<QPalette> m_before;
};

/// The layer takes most of the time, and later stages can be cancelled only between them.
constexpr double layerShare = 0.6;
constexpr double paintedShare = 0.8;

QSizeF inchesOf(const RecordedPicture &picture)
{
    return picture.inches.isEmpty() ? QSizeF(picture.size) / picture.resolution : picture.inches;
}

bool paint(QPainter &painter, RecordedPicture &picture, const PictureProgress &goOn)
{
    painter.fillRect(QRect(QPoint(), picture.size), picture.ground);
    if (picture.layer && !picture.layer(painter, [&](double share) { return goOn(share * layerShare); }))
        return false;
    if (!goOn(layerShare))
        return false;
    painter.resetTransform();  // the recording has its own transform
    picture.rest.play(&painter);
    return goOn(paintedShare);
}

QByteArray svg(RecordedPicture &picture, const PictureProgress &goOn)
{
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(picture.resolution);
    generator.setSize(picture.size);
    generator.setViewBox(QRect(QPoint(), picture.size));
    generator.setTitle(picture.title);
    QPainter painter(&generator);
    const bool isDone = paint(painter, picture, goOn);
    painter.end();
    return isDone ? buffer.data() : QByteArray();
}

QByteArray pdf(RecordedPicture &picture, const PictureProgress &goOn)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(picture.resolution);
    writer.setTitle(picture.title);
    writer.setCreator(u"Sweepscope"_s);
    const QSizeF points = inchesOf(picture) * pointsPerInch;
    writer.setPageSize(QPageSize(points, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter(&writer);
    const bool isDone = paint(painter, picture, goOn);
    painter.end();
    return isDone ? buffer.data() : QByteArray();
}

}  // namespace

std::optional<PictureFormat> pictureFormatOf(const QString &file)
{
    const QString ending = QFileInfo(file).suffix().toLower();
    if (ending == "png"_L1)
        return PictureFormat::Png;
    if (ending == "svg"_L1)
        return PictureFormat::Svg;
    if (ending == "pdf"_L1)
        return PictureFormat::Pdf;
    return std::nullopt;
}

RecordedPicture recordPicture(const PictureSheet &sheet, const PictureStyle &style)
{
    const OtherColors colors(sheet.widget, style.colors);
    RecordedPicture picture{.title = sheet.title,
                            .size = sheet.size,
                            .resolution = sheet.resolution,
                            .format = style.format,
                            .scale = style.format == PictureFormat::Png ? style.scale : 1,
                            .textScale = sheet.textScale,
                            .ground = plotColors(style.colors).background,
                            .layer = sheet.layer ? sheet.layer(style) : PictureLayer(),
                            .rest = QPicture()};
    QCPPainter painter(&picture.rest);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.setMode(QCPPainter::pmVectorized, style.format != PictureFormat::Png);
    painter.scale(picture.scale, picture.scale);
    sheet.paint(painter);
    return picture;
}

QImage pictureImage(RecordedPicture &picture, const PictureProgress &goOn)
{
    const double dotsPerInch = picture.resolution * picture.scale;
    QImage image((inchesOf(picture) * dotsPerInch).toSize(), QImage::Format_RGB32);
    image.fill(picture.ground);  // it may have a pixel more than the sheet
    QPainter painter(&image);
    painter.scale(picture.scale, picture.scale);
    const bool isDone = paint(painter, picture, goOn);
    painter.end();
    if (!isDone)
        return {};
    // Set it after painting, because font sizes depend on it.
    const auto dotsPerMeter = static_cast<int>(std::lround(dotsPerInch / metersPerInch));
    image.setDotsPerMeterX(dotsPerMeter);
    image.setDotsPerMeterY(dotsPerMeter);
    return image;
}

QByteArray pictureBytes(RecordedPicture &picture, const PictureProgress &goOn)
{
    switch (picture.format) {
    case PictureFormat::Svg:
        return svg(picture, goOn);
    case PictureFormat::Pdf:
        return pdf(picture, goOn);
    case PictureFormat::Png:
        break;
    }
    const QImage image = pictureImage(picture, goOn);
    if (image.isNull())
        return {};
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return buffer.data();
}

PictureSheet fittedTo(PictureSheet sheet, const QSize &size)
{
    if (sheet.size == size || sheet.size.isEmpty())
        return sheet;
    const double scale = std::min(static_cast<double>(size.width()) / sheet.size.width(),
                                  static_cast<double>(size.height()) / sheet.size.height());
    const QPointF at((size.width() - sheet.size.width() * scale) / 2,
                     (size.height() - sheet.size.height() * scale) / 2);
    PictureSheet fitted = sheet;
    fitted.size = size;
    fitted.textScale = sheet.textScale * scale;
    fitted.paint = [at, scale, paint = std::move(sheet.paint)](QCPPainter &painter) {
        painter.save();
        static_cast<QPainter &>(painter).translate(at);
        painter.scale(scale, scale);
        paint(painter);
        painter.restore();
    };
    if (!sheet.layer)
        return fitted;
    fitted.layer = [at, scale, layer = std::move(sheet.layer)](const PictureStyle &style) -> PictureLayer {
        PictureStyle own = style;
        own.scale *= scale;
        return [at, scale, inner = layer(own)](QPainter &painter, const PictureProgress &goOn) {
            painter.save();
            painter.translate(at);
            painter.scale(scale, scale);
            const bool isDone = inner(painter, goOn);
            painter.restore();
            return isDone;
        };
    };
    return fitted;
}

PictureSheet titledSheet(QWidget &widget, const QString &title, const QSize &plot,
                         std::function<void(QCPPainter &)> paint,
                         std::function<PictureLayer(const PictureStyle &)> layer)
{
    const QFont font = smallFont(widget.font());
    const int line = QFontMetrics(font).height() + spacing::tiny;
    const int edge = spacing::medium;
    const int top = edge + (title.isEmpty() ? 0 : line + spacing::small);
    PictureSheet sheet{.title = title,
                       .size = plot + QSize(2 * edge, top + edge),
                       .resolution = widget.logicalDpiX(),
                       .widget = &widget};
    sheet.paint = [&widget, font, line, edge, top, title, size = sheet.size,
                   paint = std::move(paint)](QCPPainter &painter) {
        painter.setFont(font);
        painter.setPen(plotColors(widget.palette()).text);
        const int room = size.width() - 2 * edge;
        painter.drawText(QRect(edge, edge, room, line), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(font).elidedText(title, Qt::ElideRight, room));
        painter.save();
        painter.translate(edge, top);
        paint(painter);
        painter.restore();
    };
    if (!layer)
        return sheet;
    sheet.layer = [edge, top, layer = std::move(layer)](const PictureStyle &style) -> PictureLayer {
        return [edge, top, inner = layer(style)](QPainter &painter, const PictureProgress &goOn) {
            painter.save();
            painter.translate(edge, top);
            const bool isDone = inner(painter, goOn);
            painter.restore();
            return isDone;
        };
    };
    return sheet;
}

PictureSheet sheetOf(LivePlot &plot, const QString &title)
{
    plot.setEmphasized({});  // ignore the mouse
    auto sheet = std::make_shared<Sheet>(plot, title);
    return {.title = title,
            .size = sheet->size(),
            .resolution = plot.logicalDpiX(),
            .widget = &plot,
            .paint = [sheet](QCPPainter &painter) { sheet->paint(painter); }};
}

int heightAroundPlot(LivePlot &plot, const QString &title)
{
    return Sheet(plot, title).size().height() - plot.height();
}

OtherShape::OtherShape(QWidget *widget, const QSize &size, double points)
    : m_widget(widget), m_size(widget->size()), m_font(widget->font()), m_hadFont(widget->testAttribute(Qt::WA_SetFont))
{
    widget->installEventFilter(this);
    if (points > 0) {
        m_hasFont = true;
        QFont font = m_font;
        font.setPointSizeF(points);
        widget->setFont(font);
    }
    widget->resize(size);
}

OtherShape::~OtherShape()
{
    if (m_hasFont)
        m_widget->setFont(m_hadFont ? m_font : QFont());
    m_widget->resize(m_size);
}

bool OtherShape::eventFilter(QObject *, QEvent *event)
{
    return event->type() == QEvent::Resize;
}

}  // namespace sweepscope::ui
