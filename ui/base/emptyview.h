#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace sweepscope::ui {

/// The empty state of a page: what the page would show, and how to get there.
class EmptyView : public QWidget {
    Q_OBJECT

public:
    explicit EmptyView(const QString &iconName, QWidget *parent = nullptr);

    /// Without `action` there is no button.
    void setMessage(const QString &title, const QString &hint, const QString &action = {});

Q_SIGNALS:
    void actionTriggered();

protected:
    void changeEvent(QEvent *event) override;

private:
    void updateIcon();

    QString m_iconName;
    QLabel *m_icon;
    QLabel *m_title;
    QLabel *m_hint;
    QPushButton *m_action;
};

}  // namespace sweepscope::ui
