#pragma once

#include <QTableView>

namespace sweepscope::ui {

class DeviceRowDelegate;
class DeviceRowsModel;

/// A row for each GPU, as tall as its rows. Enter leads on; the menu key, a click with the right button and the last cell
/// ask for the row's menu.
class DeviceTable : public QTableView {
    Q_OBJECT

public:
    DeviceTable(DeviceRowsModel *model, QWidget *parent);

Q_SIGNALS:
    void rowChosen(int row);
    void menuRequested(int row, const QPoint &place);  ///< of the screen

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    int widestText(int column) const;
    int leastWidth(int column) const;
    int leastWidthOfAll() const;
    int usualWidth(int column) const;
    void fitRows();
    void fitColumns();
    void askForMenu(int row);

    DeviceRowsModel *m_model;
    DeviceRowDelegate *m_delegate;
};

}  // namespace sweepscope::ui
