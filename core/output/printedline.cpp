#include "output/printedline.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace sweepscope::output {

namespace {

constexpr std::size_t mostValues = 100;
constexpr std::size_t longestName = 128;
constexpr std::size_t longestNumber = 40;
constexpr std::int64_t mostSteps = 1'000'000'000'000;
constexpr std::int64_t mostStepsInAll = 1'000 * mostSteps;

/// A batch or a bar is counted within an epoch as a rule, a step in the whole of training.
enum StepRank { None, Position, Step, GlobalStep };

constexpr std::array stepWords{"step", "global_step", "num_updates", "iter", "iteration", "batch", "update"};
constexpr std::array globalStepWords{"global_step", "num_updates"};
/// They make a line a report. Also as the last part of a name: "train_loss", "val/acc".
constexpr std::array metricWords{"loss", "acc",    "accuracy", "ppl",   "perplexity", "nll",  "mse",
                                 "rmse", "mae",    "auc",      "auroc", "f1",         "bleu", "iou",
                                 "miou", "reward", "psnr",     "mfu",   "logloss"};
/// Known as metrics, too, but settings have the same names.
constexpr std::array settingWords{"lr", "learning_rate", "grad_norm", "gnorm", "precision", "recall"};
/// Names that are numbered or count down, and say nothing about training.
constexpr std::array otherWords{"v_num", "eta",  "rank", "local_rank", "world_size", "seed",  "gpu",        "pid",
                                "port",  "line", "fold", "epochs",     "data",       "scale", "iterations", "samples"};
/// Such numbers are settings or times whatever comes before: "batch_size", "eval_runtime".
constexpr std::array otherEndings{"size", "workers", "runtime", "time", "memory", "mem"};
/// Metrics behind them are not those of training: "test set: average loss".
constexpr std::array phases{"val",  "valid", "validation", "validating", "test",
                            "eval", "dev",   "evaluation", "evaluating", "testing"};
/// Like phases, they belong to the word behind them: "best val loss".
constexpr std::array qualifiers{"train",   "training", "avg",   "average",  "mean",
                                "running", "best",     "total", "learning", "grad"};
constexpr std::array units{"batches", "steps", "iters", "iterations"};
/// Wrappers of a number: "loss: tensor(0.5, grad_fn=...)".
constexpr std::array<std::string_view, 4> wrappers{"tensor(", "array(", "np.float32(", "np.float64("};

template <std::size_t N>
bool isOneOf(const std::array<const char *, N> &words, std::string_view word)
{
    return std::ranges::find(words, word) != words.end();
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isBlank(char c)
{
    return c == ' ' || c == '\t';
}

bool isNamePart(char c)
{
    return isLetter(c) || isDigit(c) || c == '/' || c == '.' || c == '-' || c == '@' || c == '\\' || c == '~'
           || static_cast<unsigned char>(c) >= 0x80;
}

/// Whether the name, or its last part, is one of the words: "acc" of "val/acc@1".
template <std::size_t N>
bool endsInOneOf(const std::array<const char *, N> &words, std::string_view name)
{
    name = name.substr(0, name.find('@'));
    if (isOneOf(words, name))
        return true;
    const std::size_t end = name.find_last_of("_/.-");
    return end != std::string_view::npos && isOneOf(words, name.substr(end + 1));
}

class LineReader {
public:
    explicit LineReader(std::string_view line) : m_line(line), m_first(line.find_first_not_of(" \t\b")) {}

    PrintedLine read()
    {
        // PyTorch's ImageNet example sums up an evaluation behind an asterisk: " * Acc@1 71.2 Acc@5 90.3".
        if (restAt(std::min(m_first, m_line.size())).starts_with("* "))
            m_phase = "test";
        while (m_at < m_line.size() && m_found.values.size() < mostValues) {
            const bool beginsWord = m_at == 0 || !isNamePart(m_line[m_at - 1]);
            if (beginsWord && isLetter(m_line[m_at]))
                readName();
            else if (beginsWord && isDigit(m_line[m_at]))
                readPosition();
            else if (isNamePart(m_line[m_at]))
                skipWord();
            else
                ++m_at;
        }
        if ((!m_hasMetric && !m_found.step && !m_found.epoch) || m_isPartOfEvaluation)
            m_found.values.clear();
        return std::move(m_found);
    }

private:
    char at(std::size_t place) const { return place < m_line.size() ? m_line[place] : '\0'; }
    bool isQuote(std::size_t place) const { return at(place) == '\'' || at(place) == '"'; }

    std::size_t behindBlanks(std::size_t place) const
    {
        while (isBlank(at(place)))
            ++place;
        return place;
    }

    std::string_view restAt(std::size_t place) const { return m_line.substr(std::min(place, m_line.size()), 80); }

    void skipWord()
    {
        while (m_at < m_line.size() && isNamePart(m_line[m_at]))
            ++m_at;
    }

    /// Where the character comes next. Searches each part of the line once.
    std::size_t next(char c, std::size_t &known) const
    {
        if (known < m_at || known == 0)
            known = std::min(m_line.find(c, m_at), m_line.size());
        return known;
    }

    /// Reads an integer, with blanks before it: "12", "1,234".
    std::optional<std::int64_t> integerAt(std::size_t &place) const
    {
        const std::size_t begin = behindBlanks(place);
        std::size_t end = begin;
        while (isDigit(at(end)) && end - begin < longestNumber)
            ++end;
        std::string digits(m_line.substr(std::min(begin, m_line.size()), end - begin));
        if (digits.size() <= 3 && digits.find_first_not_of('0') == 0) {
            for (; isGroupAt(end) && digits.size() < longestNumber; end += 4)
                digits += m_line.substr(end + 1, 3);
        }
        std::int64_t value = 0;
        const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (begin == end || result.ec != std::errc() || value > mostSteps)
            return std::nullopt;
        place = end;
        return value;
    }

    /// ",234" of "1,234", which no other digit follows
    bool isGroupAt(std::size_t place) const
    {
        return at(place) == ',' && isDigit(at(place + 1)) && isDigit(at(place + 2)) && isDigit(at(place + 3))
               && !isDigit(at(place + 4));
    }

    /// Whether a number ends here, unlike 12 in "12ms", "1,234", "10:15:00", "3/4" and "3.ckpt".
    bool endsNumber(std::size_t place) const
    {
        const char c = at(place);
        const char behind = at(place + 1);
        if (c == '.' || c == '-')
            return !isNamePart(behind);
        if (c == ',' || c == '+')
            return !isDigit(behind);
        if (c == '|')  // "45%|###  |"
            return at(place - 1) != '%';
        return static_cast<unsigned char>(c) >= 0x80 || !(isNamePart(c) || c == ':' || c == '=');
    }

    std::optional<double> numberAt(std::size_t &place) const
    {
        const std::size_t begin = at(place) == '+' ? place + 1 : place;
        const std::string_view text = restAt(begin).substr(0, longestNumber);
        double value = 0;
        const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc::invalid_argument)
            return std::nullopt;
        const std::string_view digits = text.substr(0, static_cast<std::size_t>(stop - text.data()));
        if (error == std::errc::result_out_of_range) {
            const bool isTiny =
                digits.find("e-") != std::string_view::npos || digits.find("E-") != std::string_view::npos;
            value = isTiny ? 0 : std::copysign(HUGE_VAL, digits.front() == '-' ? -1.0 : 1.0);
        }
        std::size_t end = begin + digits.size();
        end += at(end) == '%' ? 1 : 0;
        if (!endsNumber(end))
            return std::nullopt;
        place = end;
        return value;
    }

    /// "Accuracy: 9843/10000"
    std::optional<double> ratioAt(std::size_t &place) const
    {
        std::size_t behind = place;
        const auto part = integerAt(behind);
        if (!part || at(behind) != '/')
            return std::nullopt;
        ++behind;
        const auto all = integerAt(behind);
        if (!all || *all == 0 || *part > *all || !endsNumber(behind))
            return std::nullopt;
        place = behind;
        return static_cast<double>(*part) / static_cast<double>(*all);
    }

    /// The average over the batches so far, as PyTorch's ImageNet example prints it behind a batch's own value: "71.2 (70.9)".
    std::optional<double> averageAt(std::size_t &place) const
    {
        std::size_t behind = behindBlanks(place);
        if (at(behind) != '(')
            return std::nullopt;
        behind = behindBlanks(behind + 1);
        const auto average = numberAt(behind);
        if (!average || at(behind) != ')')
            return std::nullopt;
        place = behind + 1;
        return average;
    }

    /// A word that no value followed, "val" or "test_set", is about what comes behind it.
    void applyWord()
    {
        const std::string_view word = std::string_view(m_word).substr(0, m_word.find('_'));
        if (isOneOf(phases, word))
            m_phase = word;
        else if (word == "train" || word == "training")
            m_phase.clear();
        m_word.clear();
    }

    /// Reads a word. Returns it in lower case, and leaves in `m_word` the words that belong together up to it.
    std::string readWord()
    {
        const std::size_t begin = m_at;
        skipWord();
        std::string word(m_line.substr(begin, std::min(m_at - begin, longestName + 1)));
        std::ranges::transform(word, word.begin(),
                               [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
        while (word.ends_with('.') || word.ends_with('-'))
            word.pop_back();
        const bool continues = m_qualifies && behindBlanks(m_wordEnd) == begin;
        if (!continues)
            applyWord();
        m_word = continues ? m_word + "_" + word : word;
        m_wordEnd = m_at;
        // "D loss" and "G loss" are those of a GAN.
        m_qualifies = m_word.size() <= longestName
                      && (isOneOf(phases, word) || isOneOf(qualifiers, word) || (word.size() == 1 && word != "a"));
        return word;
    }

    void readName()
    {
        const std::string word = readWord();
        const std::string name = m_word;
        if (name.size() > longestName || name.find_first_of("\\~") != std::string::npos)
            return;
        if (at(m_at) == '(') {
            skipArguments();
            return;
        }
        const std::size_t sign = behindBlanks(m_at + (isQuote(m_at) ? 1 : 0));
        const bool isExplicit = at(sign) == ':' || at(sign) == '=';
        const std::size_t place = isExplicit ? behindBlanks(sign + 1) : sign;
        if ((word == "epoch" || isOneOf(stepWords, word)) && readStep(word, place))
            return;
        if (word == "train" && isBeforeBracket(place) && readStep("epoch", place))  // timm
            return;
        const bool isMetric = endsInOneOf(metricWords, word);
        const bool isSetting = endsInOneOf(settingWords, word) || isOneOf(settingWords, name);
        const bool isTight = at(sign) == ':' && place == sign + 1 && !isQuote(place);  // "train.py:12"
        const bool isAnything =
            isExplicit && !isTight && !isOneOf(otherWords, word) && !endsInOneOf(otherEndings, word);
        if (isMetric || isSetting || isAnything)
            readValue(name, isMetric, place);
    }

    /// Arguments of a call are settings: "Namespace(lr=0.1, loss=1)". Not so "loss(train)".
    void skipArguments()
    {
        if (next('=', m_nextEqual) > next(')', m_nextClosing) || m_nextEqual == m_line.size()) {
            ++m_at;
            return;
        }
        int depth = 0;
        for (; m_at < m_line.size(); ++m_at) {
            depth += m_line[m_at] == '(' ? 1 : m_line[m_at] == ')' ? -1 : 0;
            if (depth == 0)
                return;
        }
    }

    /// An integer, and then a bracket: "3 [  10/100 ( 10%)]"
    bool isBeforeBracket(std::size_t place) const { return integerAt(place) && at(behindBlanks(place)) == '['; }

    /// "epoch 3", "Epoch [3/10]", "Step: 100/600", "iter=7", "Epoch: [0][ 10/5005]"
    bool readStep(std::string_view word, std::size_t place)
    {
        place += at(place) == '[' || at(place) == '(' || at(place) == '#' || isQuote(place) ? 1 : 0;
        const auto number = integerAt(place);
        if (!number)
            return false;
        std::optional<std::int64_t> total;
        if (std::size_t behind = behindBlanks(place); at(behind) == '/') {
            total = integerAt(++behind);
            place = total ? behind : place;
        }
        if (!endsNumber(place) && at(place) != ':')  // "epoch=3-step=100.ckpt", "epoch 0.5"
            return false;
        applyWord();
        if (word == "epoch")
            m_found.epoch = number;
        else
            setStep(isOneOf(globalStepWords, word) ? GlobalStep : word == "batch" ? Position : Step, *number, total);
        m_at = place;
        return true;
    }

    /// An evaluation counts by itself; only its last batch has seen all samples.
    void setStep(StepRank rank, std::int64_t number, std::optional<std::int64_t> total)
    {
        if (!m_phase.empty() && total) {
            m_isEvaluation = true;
            m_isPartOfEvaluation = number + 1 < *total;
        }
        if (rank <= m_rank || !m_phase.empty())
            return;
        m_rank = rank;
        m_found.step = number;
        m_found.steps = total;
    }

    /// The position of a progress bar: "5/10 [00:01<", "[640/60000 (1%)]", "200/ 2928 batches".
    void readPosition()
    {
        applyWord();
        const bool isFirst = m_first == m_at;
        std::size_t before = m_at;
        while (before > 0 && isBlank(m_line[before - 1]))
            --before;
        const bool isBracketed = before > 0 && m_line[before - 1] == '[';
        std::size_t place = m_at;
        const auto number = integerAt(place);
        const bool hasTotal = number && at(place) == '/';
        const auto total = hasTotal ? integerAt(++place) : std::nullopt;
        if (total && *number <= *total && endsPosition(place, isFirst, isBracketed)) {
            setStep(Position, *number, total);
            m_at = place;
        } else if (number && isBracketed && before == m_first + 1 && restAt(place).starts_with("]\t")) {
            setStep(Step, *number, std::nullopt);  // XGBoost and LightGBM
            m_at = place;
        } else {
            skipWord();
        }
    }

    bool endsPosition(std::size_t place, bool isFirst, bool isBracketed) const
    {
        const std::size_t next = behindBlanks(place);
        const std::string_view rest = restAt(next);
        if (isBracketed)
            return rest.starts_with(']') || (rest.starts_with('(') && rest.find("%)]") != std::string_view::npos);
        const bool isKeras = isFirst && (rest.starts_with("- ") || rest.starts_with("\xe2\x94"));  // "━━━"
        const std::string_view word = rest.substr(0, rest.find_first_of(" \t|,"));
        return place < next && (rest.starts_with('[') || isKeras || isOneOf(units, word));
    }

    void readValue(std::string name, bool isMetric, std::size_t place)
    {
        const bool isQuoted = isQuote(place);
        place += isQuoted ? 1 : 0;
        for (const std::string_view wrapper : wrappers)
            place += restAt(place).starts_with(wrapper) ? wrapper.size() : 0;
        auto number = numberAt(place);
        if (!number && isMetric && name.find("acc") != std::string::npos)
            number = ratioAt(place);
        else if (number && m_isEvaluation)
            number = averageAt(place).value_or(*number);
        if (!number || (isQuoted && !isQuote(place)))
            return;
        m_at = place;
        m_word.clear();
        m_qualifies = false;
        m_hasMetric = m_hasMetric || isMetric;
        if (isMetric && !m_phase.empty() && name.find(m_phase) == std::string::npos)
            name = m_phase + "_" + name;
        const auto isSame = [&name](const PrintedValue &one) { return one.name == name; };
        if (std::ranges::none_of(m_found.values, isSame))
            m_found.values.push_back({std::move(name), *number});
    }

    std::string_view m_line;
    std::size_t m_first;
    std::size_t m_at = 0;
    std::string m_word;
    std::size_t m_wordEnd = 0;
    bool m_qualifies = false;  ///< `m_word` belongs to the word behind it
    std::string m_phase;       ///< what the metrics from here on are of, if not of training
    std::size_t m_nextEqual = 0;
    std::size_t m_nextClosing = 0;
    bool m_hasMetric = false;
    bool m_isEvaluation = false;        ///< of batches, with a position
    bool m_isPartOfEvaluation = false;  ///< not up to its last batch
    StepRank m_rank = None;
    PrintedLine m_found;
};

}  // namespace

PrintedLine readPrintedLine(std::string_view line)
{
    return LineReader(line).read();
}

void PrintedSteps::add(const PrintedLine &line)
{
    if (line.epoch)
        m_epoch = line.epoch;
    if (line.step && !line.values.empty()) {  // else of a bar, perhaps, that has nothing to do with training
        const bool beginsAgain =
            m_printed && (*line.step < *m_printed || (*line.step == *m_printed && m_epoch != m_printedEpoch));
        if (beginsAgain)
            m_begin = std::min(m_begin + m_printedSteps.value_or(*m_printed), mostStepsInAll);
        m_printed = line.step;
        m_printedSteps = line.steps;
        m_printedEpoch = m_epoch;
        m_step = m_begin + *line.step;
    } else if (line.epoch && !m_printed) {
        m_step = line.epoch;
    }
}

}  // namespace sweepscope::output
