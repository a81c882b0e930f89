#pragma once

#include <QWidget>

#include <vector>

class QLabel;
class QHBoxLayout;
class QStackedWidget;
class QTabBar;
class QToolButton;

namespace sweepscope::ui {

/// Plots in a frame, under their title. If there are several, tabs select one of them. A button maximizes the card.
class PlotCard : public QWidget {
    Q_OBJECT

public:
    explicit PlotCard(QWidget *parent = nullptr);

    /// `beside`: controls of the plot, next to the title; may be null.
    void addPlot(const QString &title, QWidget *plot, QWidget *beside = nullptr);
    void setPlotShown(QWidget *plot, bool isShown);
    QTabBar *tabs() const { return m_tabs; }
    bool isMaximized() const;
    void setMaximized(bool isMaximized);

Q_SIGNALS:
    void plotChosen();
    void maximizeToggled(bool isMaximized);

private:
    void follow();

    struct Entry {
        QWidget *plot;
        QWidget *beside;
    };
    std::vector<Entry> m_entries;  ///< in the order of the tabs
    QHBoxLayout *m_head;
    QLabel *m_title;
    QTabBar *m_tabs;
    QToolButton *m_maximize;
    QStackedWidget *m_stack;
};

}  // namespace sweepscope::ui
