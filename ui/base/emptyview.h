#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace sweepscope::ui {

/// What a page shows while it has nothing to show: what would be here, and what to do to get it.
class EmptyView : public QWidget {
    Q_OBJECT

public:
    explicit EmptyView(const QString &iconName, QWidget *parent = nullptr);

    /// Without an action's text there is no button.
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
