#pragma once

#include "ui/analysis/analysisfigure.h"
#include "ui/plot/plotpicture.h"

#include <QStackedWidget>

#include <vector>

class QLabel;
class QListView;

namespace sweepscope::ui {

class ImportanceModel;
class NewestJob;

/// Shows the importance of each parameter as a bar, or why there is none. Of trials that are picked out, a thread computes it.
class ImportancePanel : public QStackedWidget {
    Q_OBJECT

public:
    explicit ImportancePanel(QWidget *parent = nullptr);

    ~ImportancePanel() override;

    /// `within`: of the figure's rows, those that are picked out; empty: none is. Too few of them leave the importance of
    /// all trials.
    void setData(FigurePtr figure, std::vector<char> within = {});
    bool isBusy() const;
    void chooseParameter(const QString &id);
    QListView *list() const { return m_list; }
    QString message() const;  ///< empty if there are bars
    QString note() const;     ///< below the bars
    PictureSheet sheet(const QString &title) const;

Q_SIGNALS:
    void parameterChosen(const QString &id);

private:
    enum class Of { All, Picked, AllForTooFew };
    void showImportance(const FigurePtr &figure, const analysis::Importance &importance, Of trials);
    QString messageFor(const AnalysisFigure &figure, const analysis::Importance &importance, Of trials) const;
    void describe(const analysis::Importance &importance, Of trials);

    ImportanceModel *m_model;
    QListView *m_list;
    QLabel *m_message;
    QLabel *m_note;
    NewestJob *m_job;
    QString m_chosen;  ///< parameter
    bool m_choosing = false;
};

}  // namespace sweepscope::ui
