#pragma once

#include <QRegularExpression>
#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QSettings;
class QToolButton;

namespace sweepscope::ui {

/// Search field, its two switches, previous and next, and what came of it.
class LogSearchBar : public QWidget {
    Q_OBJECT

public:
    explicit LogSearchBar(QWidget *parent = nullptr);

    /// Empty: nothing to search for, or an invalid pattern (which the field says).
    std::optional<QRegularExpression> pattern() const;
    void setResult(const QString &text, bool bad);
    /// The text is nowhere. One that a person may have meant as a regular expression is told where that is switched on.
    void setNotFound(const QString &sentence);
    void focusField();
    /// The two switches as they were left, from now on.
    void keepIn(QSettings *settings);

Q_SIGNALS:
    void patternChanged();
    void findRequested(bool forward);

protected:
    bool eventFilter(QObject *object, QEvent *event) override;

private:
    void patternEdited();

    QLineEdit *m_field;
    QToolButton *m_expression;
    QToolButton *m_case;
    QToolButton *m_previous;
    QToolButton *m_next;
    QLabel *m_result;
};

}  // namespace sweepscope::ui
