#pragma once

#include "ui/analysis/axisranges.h"
#include "ui/analysis/parallelhittest.h"
#include "ui/plot/plotpicture.h"

#include <QWidget>

#include <atomic>
#include <memory>

namespace sweepscope::ui {

class NewestJob;
struct ParallelScene;

/// Parallel coordinates: a line per trial over an axis per parameter, with the target value on the last.
///
/// Mouse: a drag along an axis selects a range, moves it from its inside, and resizes it from its end; a click next to
/// it removes it. Drag the title to move an axis; a click there selects the parameter. A click on a line selects the
/// trial. Keys: Left and Right go from axis to axis, Up and Down move the range, with Shift its upper end and with Ctrl
/// its lower end; Delete removes it, Escape removes all; Alt+Left and Alt+Right move the axis.
///
/// A thread draws the lines: if there are many, first a few, then all.
class ParallelView : public QWidget {
    Q_OBJECT

public:
    explicit ParallelView(QWidget *parent = nullptr);
    ~ParallelView() override;

    void setFigure(FigurePtr figure);
    const AxisRanges &ranges() const { return m_ranges; }
    /// Ids as the user arranged them; empty: as in the space.
    void setWantedOrder(const QStringList &order);
    const QStringList &wantedOrder() const { return m_wantedOrder; }
    void clearRanges();
    void setRanges(const AxisRanges &ranges);
    void setRange(const QString &axis, double from, double to);
    /// Shows these trials, whatever the ranges are; empty: those within the ranges. Ends when a range changes.
    void limitTo(const std::vector<int> &trials);
    bool isLimited() const { return !m_ranges.empty() || !m_limit.empty(); }
    bool isLimitedToTrials() const { return !m_limit.empty(); }
    const std::vector<char> &within() const { return m_within; }
    /// 0: none.
    void selectTrial(int trial);
    int selectedTrial() const { return m_selected; }
    void chooseAxis(const QString &id);
    QString chosenAxis() const { return m_chosen; }
    int chosenPlace() const;  ///< pixels from the left edge
    /// Ids from left to right.
    QStringList order() const;
    /// Whether everything is drawn.
    bool isDrawn() const { return m_isDrawn; }

    ParallelPlaces places() const;
    bool hasTitlesInTwoRows() const;
    /// Returns a picture of the widget's size. The thread that makes the picture draws the lines.
    PictureSheet sheet(const QString &title);
    /// Draws everything but the lines.
    void paintPicture(QPainter *painter) const;

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

Q_SIGNALS:
    void rangesChanged();
    void axisChosen(const QString &id);
    void axesMoved();
    void trialSelected(int trial);
    void trialActivated(int trial);
    void drawn();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    enum class Drag { None, Range, Axis, Line };

    void drawLater();
    void draw(int most);
    void setLines(const QImage &image, const ParallelPlaces &places, bool isAll);
    void ownOrder();
    void goOnDragging(const AnalysisFigure &before, const QStringList &orderBefore);
    void findWithin();
    void applyRanges();
    void showWithin();
    void moveAxis(int from, int to);
    void describe();
    LinesRequest request(int most) const;
    PictureLayer pictureLines(const PictureStyle &style) const;

    /// The result refers to `places`.
    ParallelScene scene(const ParallelPlaces &places) const;

    int rowAt(const QPointF &place) const;  ///< -1 if no line is near
    const FigureAxis &axisIn(int place) const;
    RangeDrag rangeDragAt(int place, double position) const;
    void dragTo(const QPointF &place);
    void hover(const QPointF &place);
    bool keyOnRange(QKeyEvent *event);

    FigurePtr m_figure;
    std::vector<int> m_order;   ///< indexes in the figure
    QStringList m_wantedOrder;  ///< ids, as the user arranged them
    AxisRanges m_ranges;
    std::vector<int> m_limit;
    std::vector<char> m_within;
    QString m_chosen;
    int m_selected = 0;
    int m_hovered = 0;

    NewestJob *m_job;
    std::shared_ptr<std::atomic<quint64>> m_revision;  ///< of the newest request: drawing for an older one is cancelled
    QImage m_lines;
    ParallelPlaces m_linesPlaces;  ///< used to draw the lines
    bool m_isDrawn = false;

    Drag m_drag = Drag::None;
    int m_dragged = -1;  ///< index in the order
    QPointF m_from;
    QPointF m_last;
    RangeDrag m_rangeDrag;
    bool m_hasMoved = false;
};

}  // namespace sweepscope::ui
