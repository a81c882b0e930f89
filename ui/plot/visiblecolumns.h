#pragma once

#include "series/growingcolumns.h"

#include <map>
#include <memory>
#include <vector>

namespace sweepscope::ui {

/// Caches the columns of all curves of a plot between frames: while the view stays, a frame costs only its new data.
class VisibleColumns {
public:
    /// Returns the columns of the view, and about `context` more before it for smoothing.
    std::vector<series::Column> of(const series::Series &series, const series::ColumnQuestion &view, int context = 0);
    /// Drops columns that were not requested since the last call.
    void endFrame();

private:
    /// The columns before a view.
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
        bool requested = false;
    };
    static void update(Context &context, const series::Series &series, const series::ColumnQuestion &view, int size,
                       double before);

    std::map<const series::Series *, Curve> m_curves;
};

}  // namespace sweepscope::ui
