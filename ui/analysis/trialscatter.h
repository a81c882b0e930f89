#pragma once

#include "ui/analysis/marklegend.h"
#include "ui/analysis/referenceband.h"
#include "ui/analysis/trialpoints.h"
#include "ui/models/axisscale.h"

#include <functional>

namespace sweepscope::ui {

class HaloText;

/// A point per trial over an axis of values, and optionally a line through some and a reference for it. Drag a box or use
/// the wheel to zoom, double-click to reset; a click on a point selects its trial, a double click opens it.
class TrialScatter : public QCustomPlot {
    Q_OBJECT

public:
    /// A line for comparison, drawn as steps.
    struct OtherLine {
        QString name;
        QColor color;
        std::vector<QPointF> points;
    };
    struct Content {
        AxisScale x;
        AxisScale y;
        QString xTitle;
        QString yTitle;
        std::vector<TrialPoint> points;
        std::vector<QPointF> line;  ///< drawn as steps
        QString lineName;           ///< in the legend
        std::vector<OtherLine> otherLines;
        ReferenceBand::Data reference;
        std::vector<MarkLegend::Entry> moreMarks;  ///< of the ground behind the points
        int best = 0;                              ///< number of the best trial
        bool arePointsDrawn = true;                ///< hidden points can still be selected
        bool areMarksDrawn = true;                 ///< around the best, the selected and the hovered point
    };

    explicit TrialScatter(const QString &name, QWidget *parent = nullptr);

    void setContent(Content content);
    const Content &content() const { return m_content; }  ///< without points and reference
    const std::vector<TrialPoint> &points() const { return m_points->points(); }
    void selectTrial(int trial);
    int selectedTrial() const { return m_selected; }
    /// Sets the function that returns a trial's tooltip.
    void setTexts(std::function<QString(int trial)> texts) { m_texts = std::move(texts); }
    void showAll();
    bool isZoomed() const { return m_isZoomed; }
    QPointF placeOf(int trial) const;  ///< in pixels; the first point of the trial
    /// The tooltip at a place in pixels without a trial: of the reference or the legend; empty elsewhere.
    virtual QString textAt(const QPointF &place) const;
    const MarkLegend *markLegend() const { return m_legend; }
    void paintPicture(QCPPainter *painter);

    QSize sizeHint() const override { return {300, 220}; }
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void trialSelected(int trial);
    void trialActivated(int trial);

protected:
    /// For a plot with colours behind the points: points and the name of the best one stand out from any colour.
    void outlinePoints();
    virtual void applyColors();
    /// Returns the trial that a click at a place in pixels selects; 0 where there is none.
    virtual int trialAt(const QPointF &place) const;
    /// Moves the marks to their trials.
    virtual void markAll();
    TrialPoints *trialPoints() const { return m_points; }

    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void markTrial(QCPItemEllipse *mark, int trial);
    void placeBestText();
    void showOtherLines();
    void listMarks();
    bool isCrossed(const QRectF &area) const;
    std::vector<QPointF> placesOfOthers() const;
    void replotMarks();
    void goTo(int by);

    Content m_content;
    std::function<QString(int)> m_texts;
    TrialPoints *m_points;
    QCPGraph *m_line;
    ReferenceBand m_reference;
    QCPItemEllipse *m_bestMark;
    QCPItemEllipse *m_selectedMark;
    QCPItemEllipse *m_hoverMark;
    HaloText *m_bestText;
    std::vector<QCPGraph *> m_otherLines;
    MarkLegend *m_legend;
    int m_selected = 0;
    int m_hovered = 0;
    QString m_shownText;  ///< in the tooltip
    bool m_isOutlined = false;
    bool m_isZoomed = false;
    bool m_hasDrawn = false;
    QPoint m_pressed;
    QSize m_ticksOf;  ///< the size that the number of ticks was last made for
};

}  // namespace sweepscope::ui
