#include "ui/analysis/parallelview.h"

#include "ui/analysis/parallelpainter.h"
#include "ui/models/newestjob.h"
#include "ui/plot/qcustomplotheader.h"
#include "ui/theme/palettes.h"
#include "ui/theme/plotcolors.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/textsize.h"

#include <QAccessible>
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int narrowestAxis = 64;
constexpr int quickLines = 1200;  ///< drawn first if there are more
constexpr int sideMargin = 44;
constexpr int bottomMargin = 12;
constexpr QSize usualSize{900, 300};
constexpr int lowest = 130;
constexpr int narrow = 120;        ///< pixels between axes: below this, titles take two rows
constexpr double keyShare = 0.05;  ///< share of a numeric axis
constexpr double keyRange = 0.25;

/// Returns how far a key moves a range, in positions.
double keyStep(const AxisScale &scale)
{
    return scale.scale == analysis::Scale::Categories ? 1 / (scale.highest() - scale.lowest()) : keyShare;
}

}  // namespace

ParallelView::ParallelView(QWidget *parent)
    : QWidget(parent), m_job(new NewestJob(0ms, this)), m_revision(std::make_shared<std::atomic<quint64>>(0))
{
    setObjectName(u"parallelCoordinates"_s);
    setAccessibleName(tr("Parallel coordinates"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    followTextSize(this, [this] {
        updateGeometry();
        drawLater();
    });
}

ParallelView::~ParallelView()
{
    // Relaxed: see draw(). Cancels the drawing in progress.
    m_revision->fetch_add(1, std::memory_order_relaxed);
}

void ParallelView::setFigure(FigurePtr figure)
{
    const QStringList orderBefore = m_figure ? order() : QStringList();
    const FigurePtr before = std::exchange(m_figure, std::move(figure));
    m_hovered = 0;
    if (!m_figure) {
        m_job->drop();
        m_drag = Drag::None;
        m_ranges.clear();
        m_within.clear();
        m_order.clear();
        m_lines = {};
        m_isDrawn = true;
        update();
        return;
    }
    if (before)
        m_ranges = carriedOver(m_ranges, *before, *m_figure);
    ownOrder();
    if (before && m_drag != Drag::None)
        goOnDragging(*before, orderBefore);
    if (!before || !m_figure->axis(m_chosen))
        m_chosen = m_figure->axes.front().id;
    updateGeometry();
    showWithin();
}

/// New trials do not interrupt a drag: it continues from the same values.
void ParallelView::goOnDragging(const AnalysisFigure &before, const QStringList &orderBefore)
{
    if (orderBefore != order()) {
        m_drag = Drag::None;
        return;
    }
    if (m_drag == Drag::Axis || m_drag == Drag::Line)
        return;
    const QString id = axisIn(m_dragged).id;
    const auto carried = [&](const std::pair<double, double> &range) {
        const AxisRanges ranges = carriedOver({{id, range}}, before, *m_figure);
        const auto found = ranges.find(id);
        return found == ranges.end() ? range : found->second;
    };
    m_rangeDrag.before = carried(m_rangeDrag.before);
    m_rangeDrag.grip = carried({m_rangeDrag.grip, m_rangeDrag.grip}).first;
}

/// Sorts axes as the user arranged them; new ones keep their place in the space.
void ParallelView::ownOrder()
{
    m_order.clear();
    for (int i = 0; i < static_cast<int>(m_figure->axes.size()); ++i)
        m_order.push_back(i);
    std::ranges::stable_sort(m_order, {}, [this](int axis) {
        const auto place = m_wantedOrder.indexOf(m_figure->axes[static_cast<std::size_t>(axis)].id);
        return place < 0 ? m_wantedOrder.size() : place;
    });
}

void ParallelView::setWantedOrder(const QStringList &order)
{
    m_wantedOrder = order;
    if (!m_figure)
        return;
    ownOrder();
    drawLater();
}

QStringList ParallelView::order() const
{
    QStringList ids;
    for (const int axis : m_order)
        ids << m_figure->axes[static_cast<std::size_t>(axis)].id;
    return ids;
}

int ParallelView::chosenPlace() const
{
    const auto place = m_figure ? order().indexOf(m_chosen) : -1;
    return place < 0 ? 0 : static_cast<int>(places().xs[static_cast<std::size_t>(place)]);
}

const FigureAxis &ParallelView::axisIn(int place) const
{
    return m_figure->axes[static_cast<std::size_t>(m_order[static_cast<std::size_t>(place)])];
}

void ParallelView::clearRanges()
{
    m_ranges.clear();
    applyRanges();
}

void ParallelView::setRanges(const AxisRanges &ranges)
{
    m_ranges = ranges;
    applyRanges();
}

void ParallelView::setRange(const QString &axis, double from, double to)
{
    m_ranges[axis] = {from, to};
    applyRanges();
}

void ParallelView::limitTo(const std::vector<int> &trials)
{
    if (trials == m_limit)
        return;
    m_limit = trials;
    findWithin();
    drawLater();
    describe();
}

void ParallelView::findWithin()
{
    if (!m_figure)
        return;
    m_within = rowsWithin(*m_figure, m_limit.empty() ? m_ranges : AxisRanges());
    for (std::size_t row = 0; !m_limit.empty() && row < m_within.size(); ++row)
        m_within[row] = std::ranges::binary_search(m_limit, m_figure->values.trials[row]) ? 1 : 0;
}

void ParallelView::applyRanges()
{
    m_limit.clear();
    showWithin();
}

void ParallelView::showWithin()
{
    if (!m_figure)
        return;
    findWithin();
    drawLater();
    describe();
    Q_EMIT rangesChanged();
}

void ParallelView::selectTrial(int trial)
{
    m_selected = trial;
    update();
}

void ParallelView::chooseAxis(const QString &id)
{
    if (m_chosen == id)
        return;
    m_chosen = id;
    describe();
    update();
    Q_EMIT axisChosen(id);
}

void ParallelView::moveAxis(int from, int to)
{
    const int axis = m_order[static_cast<std::size_t>(from)];
    m_order.erase(m_order.begin() + from);
    m_order.insert(m_order.begin() + to, axis);
    m_wantedOrder = order();
    drawLater();
    Q_EMIT axesMoved();
}

/// Updates the description for screen readers.
void ParallelView::describe()
{
    if (!m_figure)
        return;
    const FigureAxis *axis = m_figure->axis(m_chosen);
    const auto count = std::ranges::count(m_within, 1);
    QString text =
        m_within.size() == 1 ? tr("%1 of 1 trial").arg(count) : tr("%L1 of %L2 trials").arg(count).arg(m_within.size());
    if (axis) {
        const bool isLimited = m_ranges.contains(m_chosen);
        text += isLimited ? tr("; axis %1, with range").arg(axis->title) : tr("; axis %1").arg(axis->title);
    }
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

QSize ParallelView::minimumSizeHint() const
{
    const auto axes = m_figure ? static_cast<int>(m_figure->axes.size()) : 2;
    return {2 * textScaled(sideMargin) + (axes - 1) * textScaled(narrowestAxis), textScaled(lowest)};
}

QSize ParallelView::sizeHint() const
{
    return usualSize.expandedTo(minimumSizeHint());
}

bool ParallelView::hasTitlesInTwoRows() const
{
    const auto gaps = static_cast<int>(m_order.size()) - 1;
    return gaps > 0 && (width() - 2 * textScaled(sideMargin)) / gaps < textScaled(narrow);
}

ParallelPlaces ParallelView::places() const
{
    ParallelPlaces places;
    const int line = fontMetrics().height();
    places.top = hasTitlesInTwoRows() ? 2 * line + 4 * spacing::tiny : line + 3 * spacing::tiny;
    places.bottom = height() - textScaled(bottomMargin);
    places.axes = m_order;
    const auto count = static_cast<int>(m_order.size());
    const double side = textScaled(sideMargin);
    const double room = std::max(1.0, width() - 2 * side);
    for (int i = 0; i < count; ++i)
        places.xs.push_back(count > 1 ? side + room * i / (count - 1) : width() / 2.0);
    return places;
}

LinesRequest ParallelView::request(int most) const
{
    return {.figure = m_figure,
            .places = places(),
            .within = m_within,
            .size = size(),
            .ratio = devicePixelRatioF(),
            .onDark = isDark(palette()),
            .faint = plotColors(palette()).subtleText,
            .most = most};
}

void ParallelView::drawLater()
{
    update();
    m_isDrawn = !m_figure || width() < 2 || height() < 2;
    if (m_isDrawn)
        return;
    draw(m_figure->values.size() > 2 * quickLines ? quickLines : 0);
}

void ParallelView::draw(int most)
{
    // Relaxed: only the number matters, and reading it late costs a few lines.
    const quint64 revision = m_revision->fetch_add(1, std::memory_order_relaxed) + 1;
    m_job->request([this, work = request(most), newest = m_revision, revision]() -> std::function<void()> {
        const QImage image =
            linesImage(work, [&](double) { return newest->load(std::memory_order_relaxed) == revision; });
        return [this, image, places = work.places, isAll = work.most == 0] { setLines(image, places, isAll); };
    });
}

void ParallelView::setLines(const QImage &image, const ParallelPlaces &places, bool isAll)
{
    if (image.isNull())
        return;
    m_lines = image;
    m_linesPlaces = places;
    m_isDrawn = isAll;
    update();
    if (!isAll)
        draw(0);
    else
        Q_EMIT drawn();
}

void ParallelView::resizeEvent(QResizeEvent *)
{
    drawLater();
}

void ParallelView::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        drawLater();
}

void ParallelView::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    update();
}

void ParallelView::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    update();
}

ParallelScene ParallelView::scene(const ParallelPlaces &places) const
{
    return {.figure = *m_figure,
            .places = places,
            .ranges = m_ranges,
            .width = width(),
            .titlesInTwoRows = hasTitlesInTwoRows(),
            .palette = palette(),
            .font = font()};
}

void ParallelView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), plotColors(palette()).background);
    if (!m_figure)
        return;
    const ParallelPlaces now = places();
    if (!m_lines.isNull()) {
        // Keep showing the old lines until those of the new size are drawn.
        const bool isSameOrder = m_linesPlaces.axes == now.axes;
        if (m_lines.size() == size() * devicePixelRatioF() && isSameOrder)
            painter.drawImage(0, 0, m_lines);
        else if (isSameOrder)
            painter.drawImage(rect(), m_lines);
    }
    ParallelScene shown = scene(now);
    shown.chosenAxis = m_chosen;
    shown.hasFocus = hasFocus();
    if (m_drag == Drag::Axis && m_hasMoved)
        shown.dropX = m_last.x();
    if (m_selected != 0)
        paintTrial(&painter, shown, m_selected, m_hovered == 0);
    if (m_hovered != 0)
        paintTrial(&painter, shown, m_hovered, true);
    paintAxes(&painter, shown);
}

void ParallelView::paintPicture(QPainter *painter) const
{
    if (!m_figure)
        return;
    const ParallelPlaces now = places();
    paintAxes(painter, scene(now));
}

PictureLayer ParallelView::pictureLines(const PictureStyle &style) const
{
    LinesRequest lines = request(0);
    lines.ratio = style.scale;
    return [lines, asVectors = style.format != PictureFormat::Png](QPainter &painter, const PictureProgress &goOn) {
        return !lines.figure || paintLinesOrImage(&painter, lines, asVectors, goOn);
    };
}

PictureSheet ParallelView::sheet(const QString &title)
{
    return titledSheet(
        *this, title, size(), [this](QCPPainter &painter) { paintPicture(&painter); },
        [this](const PictureStyle &style) { return pictureLines(style); });
}

int ParallelView::rowAt(const QPointF &place) const
{
    return ui::rowAt(*m_figure, places(), m_within, place);
}

RangeDrag ParallelView::rangeDragAt(int place, double position) const
{
    const auto range = m_ranges.find(axisIn(place).id);
    const ParallelPlaces now = places();
    return RangeDrag::from(position, range == m_ranges.end() ? std::nullopt : std::optional(range->second),
                           rangeEndTolerance / (now.bottom - now.top));
}

void ParallelView::mousePressEvent(QMouseEvent *event)
{
    if (!m_figure || event->button() != Qt::LeftButton)
        return;
    m_from = m_last = event->position();
    m_hasMoved = false;
    const ParallelPlaces now = places();
    if (m_dragged = titleAt(now, m_from); m_dragged >= 0) {
        m_drag = Drag::Axis;
    } else if (m_dragged = axisAt(now, m_from); m_dragged >= 0) {
        m_drag = Drag::Range;
        m_rangeDrag = rangeDragAt(m_dragged, std::clamp(now.positionAt(m_from.y()), 0.0, 1.0));
    } else {
        m_drag = Drag::Line;
    }
}

void ParallelView::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_figure)
        return;
    m_last = event->position();
    if (m_drag == Drag::None) {
        hover(m_last);
        return;
    }
    m_hasMoved = m_hasMoved || (m_last - m_from).manhattanLength() >= QApplication::startDragDistance() / 2;
    if (m_hasMoved)
        dragTo(m_last);
}

void ParallelView::dragTo(const QPointF &place)
{
    if (m_drag == Drag::Axis || m_drag == Drag::Line) {
        setCursor(m_drag == Drag::Axis ? Qt::SizeHorCursor : Qt::ArrowCursor);
        update();
        return;
    }
    const double position = std::clamp(places().positionAt(place.y()), 0.0, 1.0);
    const auto [low, high] = m_rangeDrag.rangeAt(position);
    setRange(axisIn(m_dragged).id, low, high);
}

void ParallelView::mouseReleaseEvent(QMouseEvent *event)
{
    const Drag drag = std::exchange(m_drag, Drag::None);
    if (!m_figure || drag == Drag::None || event->button() != Qt::LeftButton)
        return;
    unsetCursor();
    if (drag == Drag::Axis && m_hasMoved) {
        const int to = dropIndex(places(), m_dragged, event->position().x());
        if (to != m_dragged)
            moveAxis(m_dragged, to);
    } else if (!m_hasMoved && drag == Drag::Line) {
        if (const int row = rowAt(event->position()); row >= 0)
            Q_EMIT trialSelected(m_figure->values.trials[static_cast<std::size_t>(row)]);
    } else if (!m_hasMoved) {
        if (drag == Drag::Range && m_rangeDrag.kind == RangeDrag::Kind::Select
            && m_ranges.erase(axisIn(m_dragged).id) > 0)
            applyRanges();
        chooseAxis(axisIn(m_dragged).id);
    }
    update();
}

void ParallelView::mouseDoubleClickEvent(QMouseEvent *event)
{
    const ParallelPlaces now = places();
    if (!m_figure || titleAt(now, event->position()) >= 0 || axisAt(now, event->position()) >= 0) {
        mousePressEvent(event);
        return;
    }
    if (const int row = rowAt(event->position()); row >= 0)
        Q_EMIT trialActivated(m_figure->values.trials[static_cast<std::size_t>(row)]);
}

void ParallelView::hover(const QPointF &place)
{
    const ParallelPlaces now = places();
    const int title = titleAt(now, place);
    const int axis = axisAt(now, place);
    const int row = axis < 0 && title < 0 ? rowAt(place) : -1;
    const int trial = row >= 0 ? m_figure->values.trials[static_cast<std::size_t>(row)] : 0;
    const bool isOnEnd = axis >= 0 && rangeDragAt(axis, now.positionAt(place.y())).kind != RangeDrag::Kind::Select;
    if (title >= 0)
        setCursor(Qt::OpenHandCursor);
    else if (axis >= 0)
        setCursor(isOnEnd ? Qt::SizeVerCursor : Qt::CrossCursor);
    else
        setCursor(trial != 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (trial == m_hovered)
        return;
    m_hovered = trial;
    QString text;
    if (trial != 0) {
        text = tr("Trial %1").arg(trial);
        if (!m_figure->values.isCompleted(static_cast<std::size_t>(row)))
            text += u" (%1)"_s.arg(stateText(m_figure->values.states[static_cast<std::size_t>(row)]).toLower());
        for (const int shown : m_order)
            text += u"\n%1: %2"_s.arg(m_figure->axes[static_cast<std::size_t>(shown)].title,
                                      m_figure->valueText(row, shown));
    }
    QToolTip::showText(mapToGlobal(place.toPoint()), text, this);
    update();
}

void ParallelView::leaveEvent(QEvent *)
{
    if (std::exchange(m_hovered, 0) != 0)
        update();
}

bool ParallelView::keyOnRange(QKeyEvent *event)
{
    const bool isUp = event->key() == Qt::Key_Up;
    if (!isUp && event->key() != Qt::Key_Down)
        return false;
    const FigureAxis &axis = *m_figure->axis(m_chosen);
    const double step = keyStep(axis.scale);
    const double by = isUp ? step : -step;
    const auto found = m_ranges.find(m_chosen);
    if (found == m_ranges.end()) {
        // Start at the end of the axis in the key's direction.
        const double size = axis.scale.scale == analysis::Scale::Categories ? step : keyRange;
        setRange(m_chosen, isUp ? 1 - size : 0, isUp ? 1 : size);
        return true;
    }
    const RangePart part = event->modifiers() & Qt::ShiftModifier     ? RangePart::HighEnd
                           : event->modifiers() & Qt::ControlModifier ? RangePart::LowEnd
                                                                      : RangePart::All;
    const auto [low, high] = moved(found->second, part, by, step);
    setRange(m_chosen, low, high);
    return true;
}

void ParallelView::keyPressEvent(QKeyEvent *event)
{
    if (!m_figure || !m_figure->axis(m_chosen)) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (keyOnRange(event))
        return;
    const auto place = static_cast<int>(order().indexOf(m_chosen));
    const auto last = static_cast<int>(m_order.size()) - 1;
    const auto goTo = [&](int to) {
        to = std::clamp(to, 0, last);
        if (event->modifiers() & Qt::AltModifier && to != place)
            moveAxis(place, to);
        else
            chooseAxis(axisIn(to).id);
    };
    switch (event->key()) {
    case Qt::Key_Left:
        goTo(place - 1);
        return;
    case Qt::Key_Right:
        goTo(place + 1);
        return;
    case Qt::Key_Home:
        goTo(0);
        return;
    case Qt::Key_End:
        goTo(last);
        return;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        if (m_ranges.erase(m_chosen) > 0)
            applyRanges();
        return;
    case Qt::Key_Escape:
        if (!m_ranges.empty()) {
            clearRanges();
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

}  // namespace sweepscope::ui
