#pragma once

#include <QIcon>
#include <QTabWidget>
#include <QTimer>

#include <vector>

namespace sweepscope::ui {

/// The window's pages. Where the tabs do not fit with their icons, in a narrow window or with large texts, their words are
/// enough.
class PageTabs : public QTabWidget {
    Q_OBJECT

public:
    explicit PageTabs(QWidget *parent = nullptr);

    int addPage(QWidget *page, const QIcon &icon, const QString &title);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void setIconsShown(bool shown);
    void fit();

    std::vector<QIcon> m_icons;
    QTimer m_fit;
};

}  // namespace sweepscope::ui
