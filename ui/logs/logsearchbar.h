#pragma once

#include <QRegularExpression>
#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QSettings;
class QToolButton;

namespace sweepscope::ui {

/// The search field with its switches, the buttons for previous and next, and the result.
class LogSearchBar : public QWidget {
    Q_OBJECT

public:
    explicit LogSearchBar(QWidget *parent = nullptr);

    /// nullopt if there is nothing to search for, or if the pattern is invalid (which the field shows).
    std::optional<QRegularExpression> pattern() const;
    /// Whether only lines that match are to be shown.
    bool isFiltering() const;
    void setFiltering(bool filtering);
    void setResult(const QString &text, bool bad);
    /// Reports that the text was not found. If it looks like a regular expression, says where to switch these on.
    void setNotFound(const QString &sentence);
    void clear();
    void focusField();
    /// Focuses the field for a text to search for in all trials: until the focus leaves it, Enter requests that.
    void askForAllTrials();
    /// Restores the switches for expressions and case, and stores them from now on.
    void keepIn(QSettings *settings);

Q_SIGNALS:
    void patternChanged();
    void filteringChanged();
    void findRequested(bool forward);
    void allTrialsRequested();

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    void patternEdited();
    void setForAllTrials(bool isForAll);

    QLineEdit *m_field;
    bool m_isForAllTrials = false;  ///< what Enter searches
    QToolButton *m_expression;
    QToolButton *m_case;
    QToolButton *m_filter;
    QToolButton *m_previous;
    QToolButton *m_next;
    QLabel *m_result;
};

}  // namespace sweepscope::ui
