#pragma once

#include "ui/plot/plotframe.h"

#include <QAbstractListModel>
#include <QColor>
#include <QPalette>
#include <QSet>

#include <optional>
#include <vector>

namespace sweepscope::ui {

/// The curves of a frame with their values, under the cursor or the newest: a heading for each plot, then its curves.
/// The worst rank is at the top: with many ranks it is listed twice, and if ranks are not drawn it is the only one.
class LegendModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        HeadingRole = Qt::UserRole,  ///< bool
        NoteRole,                    ///< bool: a remark about all curves of the plot
        ColorRole,                   ///< QColor; invalid for the aggregate of the ranks
        ValueRole,                   ///< text with unit
        HiddenRole,                  ///< bool
        WorstRole,                   ///< bool: the worst of all ranks at this time
        StateRole,                   ///< TrialState of a trial that failed or was lost; otherwise invalid
        EmphasizedRole,              ///< bool: emphasized in the plots
        KeyRole,                     ///< identifies the curve in hidden(); empty if it is not drawn
    };

    using QAbstractListModel::QAbstractListModel;

    /// `x`: position of the cursor; nullopt for the newest values.
    void setFrame(const PlotFrame &frame, std::optional<double> x, const QSet<QString> &hidden);

    void setEmphasized(const QString &key);

    /// As of the last setFrame, including curves of plots that are not shown.
    const QSet<QString> &hidden() const { return m_hidden; }

    int rowCount(const QModelIndex &parent = {}) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    QVariant data(const QModelIndex &index, int role) const override;

    /// Returns the keys of all curves of this row's plot.
    QStringList keysBeside(const QModelIndex &index) const;

private:
    struct Row {
        enum class Kind { Heading, Note, Curve } kind = Kind::Curve;
        QString name;
        QString value;
        QString key;
        QColor color;
        bool hidden = false;
        bool worst = false;
        std::optional<sweep::TrialState> state{};
        bool operator==(const Row &) const = default;
    };
    static Row rowOf(const PlotPanel &panel, const PlotCurve &curve, bool curves, const QSet<QString> &hidden);
    void addPanel(std::vector<Row> &rows, const PlotPanel &panel, bool curves, std::optional<double> x,
                  const QSet<QString> &hidden) const;

    std::vector<Row> m_rows;
    QSet<QString> m_hidden;
    QString m_emphasized;
};

}  // namespace sweepscope::ui
