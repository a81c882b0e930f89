#pragma once

#include <QAbstractListModel>
#include <QDialog>
#include <QIcon>
#include <QSortFilterProxyModel>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;

namespace sweepscope::ui {

/// A place to open or an action to run.
struct QuickEntry {
    QString text;
    QString hint;  ///< its kind, or its shortcut
    QIcon icon;
    std::function<void()> run;
    bool isFar = false;  ///< found only by typing, and listed after near entries that match
};

class QuickModel : public QAbstractListModel {
    Q_OBJECT

public:
    static constexpr int hintRole = Qt::UserRole;

    explicit QuickModel(std::vector<QuickEntry> entries, QObject *parent = nullptr);
    const QuickEntry &entry(int row) const { return m_entries[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    std::vector<QuickEntry> m_entries;
};

/// Keeps the entries that contain all words; those that start with the first word come first.
class QuickProxy : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit QuickProxy(QuickModel *model, QObject *parent = nullptr);
    void setWords(const QString &text);

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

private:
    const QuickEntry &entry(int row) const;
    int rankOf(const QString &text, const QString &typed) const;

    QStringList m_words;
    std::vector<int> m_ranks;  ///< of each entry, for the typed words
};

/// A line edit to go anywhere: type, move with the arrow keys, Enter opens, Esc closes.
class QuickSearch : public QDialog {
    Q_OBJECT

public:
    QuickSearch(std::vector<QuickEntry> entries, QWidget *parent);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void search(const QString &text);
    void runCurrent();

    QuickModel *m_model;
    QuickProxy *m_proxy;
    QLineEdit *m_line;
    QListView *m_list;
    QLabel *m_nothing;
};

}  // namespace sweepscope::ui
