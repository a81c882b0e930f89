#pragma once

#include "ui/live/plotframe.h"

#include <QAbstractListModel>
#include <QColor>
#include <QPalette>
#include <QSet>

#include <optional>
#include <vector>

namespace sweepscope::ui {

/// The curves of a frame with their values, under the cursor or the newest: a heading for each plot, then its curves.
/// The worst rank is found at the top: of many it is there twice, and where ranks are not drawn it is the only one.
class LegendModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        HeadingRole = Qt::UserRole,  ///< bool
        NoteRole,                    ///< bool: words about all curves of the plot
        ColorRole,                   ///< QColor; invalid: of what the ranks have in common
        ValueRole,                   ///< text with its unit
        HiddenRole,                  ///< bool
        WorstRole,                   ///< bool: of all ranks at this time
        EmphasizedRole,              ///< bool: it stands out in the plots
        KeyRole,                     ///< the name under which the curve is hidden; empty: nothing of it is drawn
    };

    using QAbstractListModel::QAbstractListModel;

    /// `x`: where the cursor stands; empty: the newest values.
    void setFrame(const PlotFrame &frame, std::optional<double> x, const QSet<QString> &hidden);

    void setEmphasized(const QString &key);

    /// As of the last setFrame, those of plots that are not shown included.
    const QSet<QString> &hidden() const { return m_hidden; }

    int rowCount(const QModelIndex &parent = {}) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;
    QVariant data(const QModelIndex &index, int role) const override;

    /// The keys of all curves of the plot to which this row belongs.
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
