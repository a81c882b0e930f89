#include "ui/analysis/parallelview.h"

#include "ui/models/newestjob.h"
#include "ui/theme/palettes.h"
#include "ui/theme/plotcolors.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QAccessible>
#include <QEvent>

#include <algorithm>
#include <chrono>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int narrowestAxis = 64;
constexpr int quickLines = 1200;  ///< drawn first where there are many
constexpr int sideMargin = 44;
constexpr int bottomMargin = 12;
constexpr QSize usualSize{900, 300};
constexpr int lowest = 130;
constexpr int narrow = 120;  ///< between axes: titles in two rows

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
    // relaxed: see draw(). What is being drawn is no longer needed.
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
    tellRanges();
}

/// New trials tear no drag off: it goes on from the same values.
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
    m_before = carried(m_before);
    m_grip = carried({m_grip, m_grip}).first;
}

/// As the person has put them, and new ones at their place in the space.
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
    tellRanges();
}

void ParallelView::setRanges(const AxisRanges &ranges)
{
    m_ranges = ranges;
    tellRanges();
}

void ParallelView::setRange(const QString &axis, double from, double to)
{
    m_ranges[axis] = {from, to};
    tellRanges();
}

void ParallelView::tellRanges()
{
    if (!m_figure)
        return;
    m_within = rowsWithin(*m_figure, m_ranges);
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

/// What a person who does not see it is told.
void ParallelView::describe()
{
    if (!m_figure)
        return;
    const FigureAxis *axis = m_figure->axis(m_chosen);
    const auto count = std::ranges::count(m_within, 1);
    QString text = tr("%L1 of %L2 trials").arg(count).arg(m_within.size());
    if (axis) {
        const bool isLimited = m_ranges.contains(m_chosen);
        text += isLimited ? tr("; axis %1, limited").arg(axis->title) : tr("; axis %1").arg(axis->title);
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
    // relaxed: only the number matters, and seeing it late costs a few lines.
    const quint64 revision = m_revision->fetch_add(1, std::memory_order_relaxed) + 1;
    m_job->request([this, work = request(most), newest = m_revision, revision]() -> std::function<void()> {
        const QImage image =
            linesImage(work, [&](double) { return newest->load(std::memory_order_relaxed) == revision; });
        return [this, image, places = work.places, isAll = work.most == 0] { take(image, places, isAll); };
    });
}

void ParallelView::take(const QImage &image, const ParallelPlaces &places, bool isAll)
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

}  // namespace sweepscope::ui
