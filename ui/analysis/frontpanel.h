#pragma once

#include "ui/analysis/objectivescontent.h"

#include <QWidget>

class QComboBox;

namespace sweepscope::ui {

/// The trials of a sweep over two of its objectives, which the user chooses if there are more.
class FrontPanel : public QWidget {
    Q_OBJECT

public:
    explicit FrontPanel(QWidget *parent = nullptr);

    void setData(std::shared_ptr<const ObjectivesFigure> objectives, FigurePtr figure, std::vector<char> within);
    TrialScatter *plot() const { return m_plot; }

private:
    void offerObjectives();
    void chooseObjective(QComboBox *changed, QComboBox *other);
    void showFront();

    QWidget *m_choosers;
    QComboBox *m_x;
    QComboBox *m_y;
    TrialScatter *m_plot;
    std::shared_ptr<const ObjectivesFigure> m_objectives;
    FigurePtr m_figure;
    std::vector<char> m_within;
    int m_shownX = 0;
    int m_shownY = 1;
    bool m_filling = false;  ///< changes are not made by the user
};

}  // namespace sweepscope::ui
