#pragma once

#include "series/growingcolumns.h"

#include <map>
#include <memory>
#include <vector>

namespace sweepscope::ui {

/// The columns of all curves that a plot shows, kept from frame to frame: as long as the view stays where it is, a
/// frame costs what has come since the last one.
class VisibleColumns {
public:
    /// The columns of the view, and before them about `context` more that smoothing wants to know.
    std::vector<series::Column> of(const series::Series &series, const series::ColumnQuestion &view, int context = 0);
    /// What was not asked since the last call is not shown any more.
    void endFrame();

private:
    /// What lies before a view.
    struct Context {
        std::shared_ptr<const void> history;
        series::ColumnQuestion view;
        int size = 0;
        double before = 0;
        std::vector<series::Column> columns;
    };
    struct Curve {
        series::GrowingColumns columns;
        Context context;
        bool asked = false;
    };
    static void update(Context &context, const series::Series &series, const series::ColumnQuestion &view, int size,
                       double before);

    std::map<const series::Series *, Curve> m_curves;
};

}  // namespace sweepscope::ui
