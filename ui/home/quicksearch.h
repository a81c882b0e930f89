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

/// Something to go to or to do.
struct QuickEntry {
    QString text;
    QString hint;  ///< what kind it is, or its shortcut
    QIcon icon;
    std::function<void()> run;
    bool isFar = false;  ///< found when something is typed, and after what is near and fits as well
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

/// Keeps the entries that have all words; those that begin with the first one come first.
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
    std::vector<int> m_ranks;  ///< of each entry, by the words
};

/// One line to go anywhere: type, walk with the arrows, Enter. Esc leaves.
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
