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

/// A sentence across the page that asks or tells something, without a dialog in the way. Escape or Close puts it away.
class NoticeBar : public QFrame {
    Q_OBJECT

public:
    struct Choice {
        QString name;  ///< the button's object name
        QString text;
        std::function<void()> action;
    };

    explicit NoticeBar(QWidget *parent = nullptr);

    void tell(const QString &text);
    void complain(const QString &text);
    /// What was complained of is mended; whatever else is shown stays.
    void withdrawComplaint();
    void ask(const QString &text, const std::vector<Choice> &choices);
    /// The same without taking the keys from what somebody types.
    void offer(const QString &text, const std::vector<Choice> &choices);
    void dismiss();
    QString text() const;
    /// Who has the keys after whoever pressed a button here.
    void setHeir(QWidget *heir) { m_heir = heir; }

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void open(const QString &icon, const QString &text, const std::vector<Choice> &choices);

    QLabel *m_icon;
    QLabel *m_text;
    QHBoxLayout *m_buttons;
    QPushButton *m_close;
    std::vector<QPushButton *> m_choices;
    QPointer<QWidget> m_heir;
    bool m_isComplaint = false;
};

}  // namespace sweepscope::ui
