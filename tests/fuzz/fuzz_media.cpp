#include "media/mediacontent.h"
#include "media/mediaindex.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace sweepscope;
using namespace sweepscope::media;

/// A line of the index, or the bytes of an item: whatever they are, names lead nowhere else, and tables and histograms
/// are what their readers expect.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char *>(data), size);
    if (const auto item = parseMediaLine(bytes)) {
        const bool isArtifact = item->kind == MediaKind::Artifact;
        const std::filesystem::path file = contentFile({"/attempt"}, 0, *item);
        if (file.lexically_normal() != file || file.parent_path() != (isArtifact ? "/attempt/artifacts" : "/attempt"))
            std::abort();
        if (item->name.empty() || (!isArtifact && item->size > mostItemBytes))
            std::abort();
    }
    if (const auto histogram = parseHistogram(bytes)) {
        if (!histogram->counts.empty() && histogram->edges.size() != histogram->counts.size() + 1)
            std::abort();
        for (std::size_t i = 1; i < histogram->edges.size(); ++i) {
            if (!(histogram->edges[i - 1] < histogram->edges[i]))
                std::abort();
        }
    }
    if (const auto table = parseTable(bytes)) {
        for (const auto &row : table->rows) {
            if (row.size() != table->columns.size())
                std::abort();
        }
    }
    return 0;
}
