#pragma once

#include <QTableView>

namespace sweepscope::ui {

class DeviceRowDelegate;
class DeviceRowsModel;

/// A row for each GPU, as high as its rows. Enter emits rowChosen(); the menu key, a right click, and Enter, Space or a
/// click in the last cell open the row's menu.
class DeviceTable : public QTableView {
    Q_OBJECT

public:
    DeviceTable(DeviceRowsModel *model, QWidget *parent);

Q_SIGNALS:
    void rowChosen(int row);
    void menuRequested(int row, const QPoint &place);  ///< in screen coordinates

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
    void requestMenu(int row);

    DeviceRowsModel *m_model;
    DeviceRowDelegate *m_delegate;
};

}  // namespace sweepscope::ui
