#pragma once

#include "ui/media/medialoader.h"

#include <QAbstractTableModel>

#include <vector>

namespace sweepscope::ui {

/// A table or a confusion matrix, whose counts have a background by their share of the actual class.
class ContentModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    /// `content` has a table.
    void setContent(std::shared_ptr<const MediaContent> content, bool isMatrix);
    /// Of the first column of a matrix, which has the actual classes.
    bool isMatrix() const { return m_isMatrix; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    const media::Cell &cellAt(int row, int column) const;
    /// Of the actual class of the row; 0 to 1.
    double shareOf(int row, int column) const;

    std::shared_ptr<const MediaContent> m_content;
    bool m_isMatrix = false;
    std::vector<double> m_sums;  ///< of the rows of a matrix
};

}  // namespace sweepscope::ui
