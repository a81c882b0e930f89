#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::output {

struct PrintedValue {
    std::string name;  ///< in lower case, words joined by '_': "Train Loss: 0.5" is train_loss
    double value = 0;
};

/// What a line of a training script reports.
struct PrintedLine {
    std::optional<std::int64_t> epoch;
    std::optional<std::int64_t> step;   ///< a step, iteration or batch, or the position of a progress bar
    std::optional<std::int64_t> steps;  ///< their number in all or per epoch, if the line says it: "Step [100/600]"
    std::vector<PrintedValue> values;
};

/// Recognises the lines that training scripts usually print: "epoch 3 loss: 0.5 - acc: 90%", "step=7, train_loss=0.2",
/// "{'loss': 0.5, 'epoch': 1.2}", "50%|##  | 5/10 [00:01<00:01, 9it/s, loss=0.5]". A line without a usual metric, a step or
/// an epoch reports nothing, so that settings, times and paths are not taken for metrics. Takes time linear in the
/// length of the line, which need not be UTF-8.
PrintedLine readPrintedLine(std::string_view untrustedLine);

/// The step that the values of a line belong to, over all lines of a program. Steps that begin again with each epoch are
/// added up, by the number of steps in an epoch if it is printed. Epochs are steps if nothing finer is printed.
class PrintedSteps {
public:
    void add(const PrintedLine &line);
    /// nullopt if no line had a step or an epoch so far.
    std::optional<std::int64_t> step() const { return m_step; }

private:
    std::optional<std::int64_t> m_step;
    std::optional<std::int64_t> m_epoch;
    std::int64_t m_begin = 0;                    ///< steps of earlier epochs
    std::optional<std::int64_t> m_printed;       ///< the last one
    std::optional<std::int64_t> m_printedSteps;  ///< their number, printed with it
    std::optional<std::int64_t> m_printedEpoch;  ///< in which it was printed
};

}  // namespace sweepscope::output
