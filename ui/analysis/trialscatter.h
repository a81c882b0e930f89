#pragma once

#include "ui/analysis/referenceband.h"
#include "ui/analysis/trialpoints.h"
#include "ui/models/axisscale.h"

#include <functional>

namespace sweepscope::ui {

/// A point per trial over an axis of values, and optionally a line through some and a reference for it. Drag a box or use
/// the wheel to zoom, double-click to reset; a click on a point selects its trial, a double click opens it.
class TrialScatter : public QCustomPlot {
    Q_OBJECT

public:
    struct Content {
        AxisScale x;
        AxisScale y;
        QString xTitle;
        QString yTitle;
        bool isYNamed = false;  ///< the y axis has its title as a label
        std::vector<TrialPoint> points;
        std::vector<QPointF> line;  ///< drawn as steps
        ReferenceBand::Data reference;
        int best = 0;  ///< number of the best trial
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
    /// The tooltip of the reference at a place in pixels; empty elsewhere.
    QString referenceText(const QPointF &place) const { return m_reference.textAt(place, m_content.y); }
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
    void markAll();
    void placeBestText();
    bool isCrossed(const QRectF &area) const;
    bool coversPoints(const QRectF &area) const;
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
    QCPItemText *m_bestText;
    int m_selected = 0;
    int m_hovered = 0;
    QString m_shownText;  ///< in the tooltip
    bool m_isOutlined = false;
    bool m_isZoomed = false;
    bool m_hasDrawn = false;
    QPoint m_pressed;
};

}  // namespace sweepscope::ui
