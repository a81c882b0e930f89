#include "ui/analysis/trialscatter.h"

#include "ui/analysis/halotext.h"
#include "ui/analysis/scaleticker.h"
#include "ui/theme/fonts.h"
#include "ui/theme/itemfocus.h"
#include "ui/theme/plotcolors.h"
#include "ui/theme/textsize.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr double near = 10;  ///< pixels from a point
constexpr double zoomStep = 0.85;
constexpr double deepestZoom = 1e-6;    ///< smallest visible share of a whole axis
constexpr double narrowestView = 1e-9;  ///< relative to the values: closer numbers are indistinguishable
constexpr QSize smallest{190, 130};

ScaleTicker *tickerOf(const QCPAxis *axis)
{
    return static_cast<ScaleTicker *>(axis->ticker().data());
}

double narrowestRange(const AxisScale &scale)
{
    return std::max(deepestZoom * (scale.highest() - scale.lowest()),
                    narrowestView * std::max(std::abs(scale.lowest()), std::abs(scale.highest())));
}

/// Like `scaleRange()`, but limits the zoom to distinguishable values.
void scaleWithin(QCPAxis *axis, double factor, double around, double least)
{
    axis->scaleRange(std::max(factor, std::min(1.0, least / axis->range().size())), around);
}

void keepWide(QCPAxis *axis, double least)
{
    const QCPRange range = axis->range();
    if (range.size() < least)
        axis->setRange(range.center() - least / 2, range.center() + least / 2);
}

constexpr double ring = 13;  ///< diameter in pixels
constexpr double otherLineWidth = 1.3;

}  // namespace

TrialScatter::TrialScatter(const QString &name, QWidget *parent)
    : QCustomPlot(parent),
      m_points(new TrialPoints(xAxis, yAxis)),
      m_line(new QCPGraph(xAxis, yAxis)),
      m_reference(this),
      m_bestMark(new QCPItemEllipse(this)),
      m_selectedMark(new QCPItemEllipse(this)),
      m_hoverMark(new QCPItemEllipse(this)),
      m_bestText(new HaloText(this)),
      m_legend(new MarkLegend(this))
{
    setObjectName(name);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    xAxis->setTicker(QSharedPointer<ScaleTicker>::create(Qt::Horizontal));
    yAxis->setTicker(QSharedPointer<ScaleTicker>::create(Qt::Vertical));
    plotLayout()->setRowSpacing(0);
    plotLayout()->addElement(1, 0, m_legend);
    m_line->setLineStyle(QCPGraph::lsStepLeft);
    m_line->setVisible(false);
    QCPLayer *overlay = layer(u"overlay"_s);
    overlay->setMode(QCPLayer::lmBuffered);
    for (QCPItemEllipse *mark : {m_bestMark, m_selectedMark, m_hoverMark}) {
        mark->setLayer(overlay);
        for (QCPItemPosition *corner : {mark->topLeft, mark->bottomRight})
            corner->setType(QCPItemPosition::ptAbsolute);
        mark->setClipToAxisRect(false);  // a point at the edge has a whole ring
        mark->setVisible(false);
    }
    m_bestText->setLayer(overlay);
    m_bestText->position->setType(QCPItemPosition::ptAbsolute);
    m_bestText->setVisible(false);
    selectionRect()->setPen(QPen(Qt::NoPen));
    setSelectionRectMode(QCP::srmZoom);
    axisRect()->setRangeZoom(Qt::Horizontal | Qt::Vertical);
    connect(selectionRect(), &QCPSelectionRect::accepted, this, [this] {
        m_isZoomed = true;
        keepWide(xAxis, narrowestRange(m_content.x));
        keepWide(yAxis, narrowestRange(m_content.y));
    });
    // Marks are positioned in pixels, so they must follow every change of the axes.
    connect(this, &QCustomPlot::afterLayout, this, [this] {
        const bool isWider = tickerOf(xAxis)->setRoom(axisRect()->width(), xAxis->tickLabelFont());
        const bool isHigher = tickerOf(yAxis)->setRoom(axisRect()->height(), yAxis->tickLabelFont());
        // Ticks precede the layout. Once for a size is enough, and cannot go back and forth.
        if ((isWider || isHigher) && std::exchange(m_ticksOf, size()) != size())
            replot(rpQueuedReplot);
        markAll();
        if (m_bestText->visible())
            placeBestText();
    });
    connect(this, &QCustomPlot::afterReplot, this, [this] { m_hasDrawn = true; });
    followTextSize(this, [this] { applyColors(); });
}

QSize TrialScatter::minimumSizeHint() const
{
    return smallest * textScale();
}

void TrialScatter::setContent(Content content)
{
    const bool isSame = m_content.x.scale == content.x.scale && m_content.y.scale == content.y.scale
                        && m_content.xTitle == content.xTitle && m_content.yTitle == content.yTitle;
    m_content = std::move(content);
    m_points->setPoints(std::exchange(m_content.points, {}));
    m_points->setDrawn(m_content.arePointsDrawn);
    tickerOf(xAxis)->setScale(m_content.x);
    tickerOf(yAxis)->setScale(m_content.y);
    xAxis->setLabel(m_content.xTitle);
    yAxis->setLabel(m_content.yTitle);
    QVector<double> keys;
    QVector<double> values;
    for (const QPointF &point : m_content.line) {
        keys << point.x();
        values << point.y();
    }
    m_line->setData(keys, values, true);
    m_line->setVisible(!keys.isEmpty());
    m_reference.setData(std::exchange(m_content.reference, {}));
    showOtherLines();
    listMarks();
    m_hovered = 0;
    if (!m_isZoomed || !isSame)
        showAll();
    else
        replot(rpQueuedReplot);
}

void TrialScatter::showOtherLines()
{
    for (QCPGraph *graph : std::exchange(m_otherLines, {}))
        removePlottable(graph);
    for (const OtherLine &other : m_content.otherLines) {
        auto *graph = new QCPGraph(xAxis, yAxis);
        graph->setLayer(u"reference"_s);
        graph->setLineStyle(QCPGraph::lsStepLeft);
        graph->setPen(QPen(other.color, otherLineWidth));
        QVector<double> keys;
        QVector<double> values;
        for (const QPointF &point : other.points) {
            keys << point.x();
            values << point.y();
        }
        graph->setData(keys, values, true);
        m_otherLines.push_back(graph);
    }
}

/// Lists marks and lines in the legend. A plot with one kind of point needs none.
void TrialScatter::listMarks()
{
    std::vector<MarkLegend::Entry> entries;
    const auto has = [this](const auto &isMeant) { return std::ranges::any_of(points(), isMeant, &TrialPoint::kind); };
    const auto addKind = [&](PointKind kind, const QString &name, const QString &text) {
        entries.push_back({name, text, [this, kind](QCPPainter &painter, const QRectF &area) {
                               m_points->drawSample(painter, area.center(), kind);
                           }});
    };
    if (m_content.arePointsDrawn) {
        for (const auto &[kind, name] :
             {std::pair(PointKind::Completed, tr("Completed")), std::pair(PointKind::Pruned, tr("Pruned")),
              std::pair(PointKind::Stopped, tr("Stopped")), std::pair(PointKind::Pending, tr("Unfinished"))}) {
            const PointKind meant = kind;
            if (has([meant](PointKind one) { return one == meant; }))
                addKind(kind, name, {});
        }
        if (has(isFaint))
            addKind(PointKind::FaintCompleted, tr("Not selected"),
                    tr("Trials outside the ranges selected in the parallel coordinates"));
    }
    const auto addLine = [&](const QString &name, QCPGraph *graph) {
        entries.push_back({name, {}, [graph](QCPPainter &painter, const QRectF &area) {
                               painter.setPen(graph->pen());
                               painter.drawLine(QPointF(area.left(), area.center().y()),
                                                QPointF(area.right(), area.center().y()));
                           }});
    };
    if (m_line->visible() && !m_content.lineName.isEmpty())
        addLine(m_content.lineName, m_line);
    for (std::size_t i = 0; i < m_otherLines.size(); ++i)
        addLine(m_content.otherLines[i].name, m_otherLines[i]);
    if (m_reference.isShown())
        entries.push_back({m_reference.name(), m_reference.explanation(),
                           [this](QCPPainter &painter, const QRectF &area) { m_reference.drawSample(painter, area); }});
    entries.insert(entries.end(), m_content.moreMarks.begin(), m_content.moreMarks.end());
    if (entries.size() < 2 && m_content.moreMarks.empty())
        entries.clear();
    m_legend->setEntries(std::move(entries));
}

void TrialScatter::showAll()
{
    m_isZoomed = false;
    xAxis->setRange(m_content.x.lowest(), m_content.x.highest());
    yAxis->setRange(m_content.y.lowest(), m_content.y.highest());
    replot(rpQueuedReplot);
}

void TrialScatter::selectTrial(int trial)
{
    m_selected = trial;
    markAll();
    replotMarks();
}

void TrialScatter::applyColors()
{
    const PlotColors colors = plotColors(palette());
    const QColor accent = palette().color(QPalette::Link);
    setBackground(colors.background);
    m_points->setColors(m_isOutlined ? colors.text : accent, colors.subtleText);
    m_points->setOutline(m_isOutlined ? colors.background : QColor());
    QColor line = colors.text;
    line.setAlpha(200);
    m_line->setPen(QPen(line, 1.6));
    m_reference.setColors(palette());
    m_legend->setLook(smallFont(font()), colors.text);
    m_bestMark->setPen(QPen(colors.text, 1.8));
    m_selectedMark->setPen(QPen(palette().color(QPalette::Highlight), 2.2));
    m_hoverMark->setPen(QPen(colors.cursor, 1.2));
    m_bestText->setColor(colors.text);
    m_bestText->setFont(smallFont(font()));
    m_bestText->setPadding(QMargins(2, 0, 2, 0));
    m_bestText->setHalo(colors.background);
    selectionRect()->setBrush(colors.selection);
    for (QCPAxis *axis : {xAxis, yAxis})
        styleScaleAxis(axis, palette(), font());
    replot(rpQueuedReplot);
}

void TrialScatter::outlinePoints()
{
    m_isOutlined = true;
    applyColors();
}

void TrialScatter::changeEvent(QEvent *event)
{
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyColors();
}

void TrialScatter::paintEvent(QPaintEvent *event)
{
    QCustomPlot::paintEvent(event);
    QPainter painter(this);
    paintWidgetFocus(&painter, this);
}

int TrialScatter::trialAt(const QPointF &place) const
{
    const TrialPoint *point = m_points->nearest(place, near);
    return point ? point->trial : 0;
}

QString TrialScatter::textAt(const QPointF &place) const
{
    const QString text = m_legend->textAt(place);
    return !text.isEmpty() || trialAt(place) != 0 ? text : m_reference.textAt(place, m_content.y);
}

void TrialScatter::mousePressEvent(QMouseEvent *event)
{
    m_pressed = event->pos();
    if (event->button() == Qt::LeftButton)
        QCustomPlot::mousePressEvent(event);
}

void TrialScatter::mouseMoveEvent(QMouseEvent *event)
{
    QCustomPlot::mouseMoveEvent(event);
    if (event->buttons() != Qt::NoButton)
        return;
    const int trial = trialAt(event->position());
    if (trial != m_hovered) {
        m_hovered = trial;
        markAll();
        replotMarks();
        setCursor(trial != 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    }
    const QString ofPlace = textAt(event->position());
    const QString text = ofPlace.isEmpty() && trial != 0 && m_texts ? m_texts(trial) : ofPlace;
    if (text != m_shownText) {
        m_shownText = text;
        QToolTip::showText(event->globalPosition().toPoint(), text, this);
    }
}

void TrialScatter::mouseReleaseEvent(QMouseEvent *event)
{
    const bool isClick = (event->pos() - m_pressed).manhattanLength() < QApplication::startDragDistance();
    if (isClick)
        selectionRect()->cancel();  // a click selects no area
    QCustomPlot::mouseReleaseEvent(event);
    if (!isClick || event->button() != Qt::LeftButton)
        return;
    if (const int trial = trialAt(event->position()))
        Q_EMIT trialSelected(trial);
}

void TrialScatter::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (const int trial = trialAt(event->position()))
        Q_EMIT trialActivated(trial);
    else
        showAll();
}

void TrialScatter::wheelEvent(QWheelEvent *event)
{
    const double factor = std::pow(zoomStep, event->angleDelta().y() / 120.0);
    const QPointF place = event->position();
    const QRect inside = axisRect()->rect();
    // Over an axis, zoom only that.
    if (place.x() >= inside.left())
        scaleWithin(xAxis, factor, xAxis->pixelToCoord(place.x()), narrowestRange(m_content.x));
    if (place.y() <= inside.bottom())
        scaleWithin(yAxis, factor, yAxis->pixelToCoord(place.y()), narrowestRange(m_content.y));
    m_isZoomed = true;
    replot(rpQueuedReplot);
    event->accept();
}

void TrialScatter::leaveEvent(QEvent *event)
{
    QCustomPlot::leaveEvent(event);
    m_shownText.clear();
    if (std::exchange(m_hovered, 0) != 0) {
        markAll();
        replotMarks();
    }
}

/// Goes from the selected trial to the next point on the right or on the left.
void TrialScatter::goTo(int by)
{
    std::vector<const TrialPoint *> order;
    for (const TrialPoint &point : points()) {
        if (!isFaint(point.kind))
            order.push_back(&point);
    }
    if (order.empty())
        return;
    std::ranges::sort(order, {}, [](const TrialPoint *point) { return std::tuple(point->x, point->y, point->trial); });
    const auto now = std::ranges::find(order, m_selected, &TrialPoint::trial);
    const auto last = static_cast<std::ptrdiff_t>(order.size()) - 1;
    const std::ptrdiff_t to = now == order.end() ? 0 : std::clamp<std::ptrdiff_t>(now - order.begin() + by, 0, last);
    Q_EMIT trialSelected(order[static_cast<std::size_t>(to)]->trial);
}

void TrialScatter::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        goTo(event->key() == Qt::Key_Right ? 1 : -1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_selected != 0)
            Q_EMIT trialActivated(m_selected);
        return;
    case Qt::Key_Home:
    case Qt::Key_F:
        showAll();
        return;
    default:
        QCustomPlot::keyPressEvent(event);
    }
}

void TrialScatter::paintPicture(QCPPainter *painter)
{
    m_hoverMark->setVisible(false);
    toPainter(painter, width(), height());
}

QPointF TrialScatter::placeOf(int trial) const
{
    const auto found = std::ranges::find(points(), trial, &TrialPoint::trial);
    return found == points().end() ? QPointF(-1, -1) : m_points->placeOf(*found);
}

void TrialScatter::markTrial(QCPItemEllipse *mark, int trial)
{
    const QPointF place = trial != 0 && m_content.areMarksDrawn ? placeOf(trial) : QPointF(-1, -1);
    const bool isShown = QRectF(axisRect()->rect()).adjusted(-1, -1, 1, 1).contains(place);
    mark->setVisible(isShown);
    mark->topLeft->setCoords(place - QPointF(ring, ring) / 2);
    mark->bottomRight->setCoords(place + QPointF(ring, ring) / 2);
}

void TrialScatter::markAll()
{
    markTrial(m_bestMark, m_content.best);
    markTrial(m_selectedMark, m_selected);
    markTrial(m_hoverMark, m_hovered);
    m_bestText->setVisible(m_bestMark->visible());
}

/// Whether the step line crosses the area.
bool TrialScatter::isCrossed(const QRectF &area) const
{
    const std::vector<QPointF> &line = m_content.line;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const QPointF from(xAxis->coordToPixel(line[i].x()), yAxis->coordToPixel(line[i].y()));
        const QPointF next = i + 1 < line.size() ? line[i + 1] : line[i];
        const QPointF to(xAxis->coordToPixel(next.x()), yAxis->coordToPixel(next.y()));
        const QRectF across = QRectF(from, QPointF(to.x(), from.y())).normalized().adjusted(-1, -1, 1, 1);
        const QRectF up = QRectF(QPointF(to.x(), from.y()), to).normalized().adjusted(-1, -1, 1, 1);
        if (area.intersects(across) || area.intersects(up))
            return true;
    }
    return false;
}

/// Of the points that a label may cover.
std::vector<QPointF> TrialScatter::placesOfOthers() const
{
    std::vector<QPointF> places;
    for (const TrialPoint &point : points()) {
        if (m_content.arePointsDrawn && point.trial != m_content.best)
            places.push_back(m_points->placeOf(point));
    }
    return places;
}

/// Places the label near the ring where it covers neither line nor points, else the fewest points.
void TrialScatter::placeBestText()
{
    constexpr int mostRows = 5;  // away from the ring
    const QPointF place = placeOf(m_content.best);
    m_bestText->setText(tr("best: %1").arg(m_content.best));
    const QMargins padding = m_bestText->padding();
    const QFontMetricsF metrics(m_bestText->font());
    const QSizeF size(metrics.horizontalAdvance(m_bestText->text()) + padding.left() + padding.right(),
                      metrics.height());
    const double aside = 0.7 * ring + size.width() / 2;
    const double beyond = 0.7 * ring + size.height() / 2;
    const double side = place.x() > axisRect()->center().x() ? -1 : 1;
    std::vector<QPointF> offsets{{side * aside, 0}, {-side * aside, 0}};
    for (int row = 1; row <= mostRows; ++row) {
        for (const double up : {-1.0, 1.0}) {
            for (const double x : {side * aside, -side * aside, 0.0})
                offsets.emplace_back(x, up * (beyond + (row - 1) * size.height()));
        }
    }
    const std::vector<QPointF> others = placesOfOthers();
    const double reach = m_points->size() / 2;
    std::optional<QPointF> chosen;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (const QPointF &offset : offsets) {
        const QPointF middle = place + offset;
        const QRectF area(middle - QPointF(size.width(), size.height()) / 2, size);
        if (!QRectF(axisRect()->rect()).contains(area) || isCrossed(area))
            continue;
        const QRectF wide = area.adjusted(-reach, -reach, reach, reach);
        const auto covered = static_cast<std::size_t>(
            std::ranges::count_if(others, [&wide](const QPointF &other) { return wide.contains(other); }));
        if (covered < fewest) {
            chosen = middle;
            fewest = covered;
        }
        if (covered == 0)
            break;
    }
    m_bestText->setPositionAlignment(Qt::AlignCenter);
    m_bestText->position->setCoords(chosen.value_or(place + QPointF(side * aside, 0)));
}

/// Redraws the marks alone, so that hovering does not redraw the points.
void TrialScatter::replotMarks()
{
    if (m_hasDrawn)
        layer(u"overlay"_s)->replot();
}

}  // namespace sweepscope::ui
