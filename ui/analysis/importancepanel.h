#pragma once

#include "ui/analysis/analysisfigure.h"
#include "ui/plot/plotpicture.h"

#include <QStackedWidget>

class QLabel;
class QListView;

namespace sweepscope::ui {

class ImportanceModel;

/// Shows the importance of each parameter as a bar, or why there is none.
class ImportancePanel : public QStackedWidget {
    Q_OBJECT

public:
    explicit ImportancePanel(QWidget *parent = nullptr);

    void setFigure(const FigurePtr &figure);
    void chooseParameter(const QString &id);
    QListView *list() const { return m_list; }
    QString message() const;  ///< empty if there are bars
    QString note() const;     ///< below the bars
    PictureSheet sheet(const QString &title) const;

Q_SIGNALS:
    void parameterChosen(const QString &id);

private:
    QString messageFor(const AnalysisFigure &figure) const;
    void describe(const analysis::Importance &importance);

    ImportanceModel *m_model;
    QListView *m_list;
    QLabel *m_message;
    QLabel *m_note;
    bool m_choosing = false;
};

}  // namespace sweepscope::ui
