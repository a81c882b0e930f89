#pragma once

#include <QRegularExpression>
#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
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
    void focusField();

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
