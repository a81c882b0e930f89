#pragma once

#include <QFrame>
#include <QPointer>
#include <QString>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace sweepscope::ui {

class IconLabel;

/// A message across the page that asks or reports something without a dialog. Escape or Close hides it.
class NoticeBar : public QFrame {
    Q_OBJECT

public:
    struct Choice {
        QString name;  ///< the button's object name
        QString text;
        std::function<void()> action;
    };

    explicit NoticeBar(QWidget *parent = nullptr);

    void inform(const QString &text);
    void complain(const QString &text);
    /// Hides a complaint whose reason is gone; other messages stay.
    void withdrawComplaint();
    void prompt(const QString &text, const std::vector<Choice> &choices);
    /// The same without taking the focus from where the user types.
    void offer(const QString &text, const std::vector<Choice> &choices);
    void dismiss();
    QString text() const;
    /// Sets the widget that gets the focus after a button here was pressed.
    void setHeir(QWidget *heir) { m_heir = heir; }

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void open(const QString &icon, const QString &text, const std::vector<Choice> &choices);

    IconLabel *m_icon;
    QLabel *m_text;
    QHBoxLayout *m_buttons;
    QPushButton *m_close;
    std::vector<QPushButton *> m_choices;
    QPointer<QWidget> m_heir;
    bool m_isComplaint = false;
};

}  // namespace sweepscope::ui
