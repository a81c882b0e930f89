#include "launch/metricspicker.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <sstream>
#include <string>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::launch;

namespace {

/// Returns the metrics found in `lines` as "series@step=value …", with messages in brackets.
std::string picked(const output::MetricsSection &metrics, const std::vector<std::string> &lines)
{
    std::vector<std::string> names;
    std::ostringstream text;
    MetricsPicker::Sink sink;
    sink.declare = [&](const std::string &name) {
        names.push_back(name);
        return static_cast<std::uint16_t>(names.size() - 1);
    };
    sink.write = [&](std::uint16_t id, std::int64_t step, double value) {
        text << names[id] << '@' << step << '=' << value << ' ';
    };
    sink.complain = [&](const std::string &sentence) { text << '[' << sentence << "] "; };
    auto picker = MetricsPicker::create(metrics, sink);
    REQUIRE(picker.has_value());
    for (const std::string &line : lines)
        picker->pick(line);
    return text.str();
}

output::MetricsSection text(std::string step, std::map<std::string, std::string> series)
{
    return {output::OutputFormat::Text, false, std::move(step), std::move(series)};
}

output::MetricsSection json(std::string step, std::map<std::string, std::string> series = {})
{
    return {output::OutputFormat::Json, false, std::move(step), std::move(series)};
}

}  // namespace

TEST_CASE("values are found in lines, each at the step printed last")
{
    const auto metrics = text("epoch (\\d+)", {{"loss", "loss=(\\S+)"}, {"acc", "acc: ([^ ]+)"}});
    CHECK(picked(metrics, {"hello", "epoch 3 loss=0.5 acc: 91.5%,", "nothing here", "loss=0.25", "epoch 4", "loss=nan"})
          == "acc@3=91.5 loss@3=0.5 loss@3=0.25 loss@4=nan ");
    CHECK(picked(metrics, {"loss=7"}) == "loss@0=7 ");
}

TEST_CASE("usual lines are recognized, and steps that begin again are added up")
{
    const output::MetricsSection usual{output::OutputFormat::Auto, false, {}, {}};
    CHECK(picked(usual, {"Namespace(lr=0.1)", "loss: 0.5", "loss: 0.5"}) == "loss@1=0.5 loss@2=0.5 ");
    CHECK(picked(usual, {"Epoch 1/3", "loss: 0.5", "Epoch 2/3 loss: 0.25 - acc: 90%"})
          == "loss@1=0.5 loss@2=0.25 acc@2=90 ");
    CHECK(picked(usual, {"Epoch [1/2], Step [100/600], Loss: 3", "Epoch [1/2], Step [600/600], Loss: 2",
                         "Epoch [2/2], Step [100/600], Loss: 1", "val_loss: 0.5"})
          == "loss@100=3 loss@600=2 loss@700=1 val_loss@700=0.5 ");
    CHECK(picked(usual, {"Epoch 1/2", "9/9 - 1s - loss: 3", "Epoch 2/2", "9/9 - 1s - loss: 2"})
          == "loss@9=3 loss@18=2 ");
    CHECK(picked(usual,
                 {"epoch 0 step 0 loss 9", "epoch 0 step 5 loss 8", "epoch 1 step 0 loss 7", "epoch 1 step 5 loss 6"})
          == "loss@0=9 loss@5=8 loss@5=7 loss@10=6 ");
    CHECK(picked(usual, {" 10%|#   | 1/10 [00:01<00:09, loss=3]", " 10%|#   | 1/10 [00:01<00:09, loss=3]",
                         "100%|####| 5/5 [00:01<00:00, 4.1it/s]", " 20%|##  | 2/10 [00:01<00:09, loss=2]"})
          == "loss@1=3 loss@2=2 ");
    CHECK(picked(usual, {"{'loss': 3, 'epoch': 0.5}", "{'loss': 2, 'epoch': 1.0}",
                         "{'eval_loss': 4, 'eval_runtime': 1.5, 'epoch': 1.0}", "{'loss': 1, 'epoch': 1.5}"})
          == "loss@1=3 epoch@1=0.5 loss@2=2 epoch@2=1 eval_loss@2=4 loss@3=1 epoch@3=1.5 ");
    CHECK(picked(usual, {"loss: 3", "loss: 2", "val_loss: 4", "loss: 1"})
          == "loss@1=3 loss@2=2 val_loss@2=4 loss@3=1 ");
    const output::MetricsSection chosen{output::OutputFormat::Auto, false, {}, {{"loss", "train_loss"}}};
    CHECK(picked(chosen, {"step 3: train loss 4, val loss 5"}) == "loss@3=4 ");
}

TEST_CASE("without a step the values of each series are numbered")
{
    CHECK(picked(text("", {{"a", "a=(\\S+)"}, {"b", "b=(\\S+)"}}), {"a=1", "a=1", "b=5", "a=2 b=6"})
          == "a@1=1 a@2=1 b@1=5 a@3=2 b@2=6 ");
}

TEST_CASE("a progress bar that repeats a value at the same step adds nothing")
{
    CHECK(picked(text("(\\d+)/10", {{"loss", "loss=(\\S+)"}}),
                 {"1/10 loss=nan", "1/10 loss=nan", "1/10 loss=2", "2/10 loss=2", "2/10 loss=2"})
          == "loss@1=nan loss@1=2 loss@2=2 ");
}

TEST_CASE("an invalid number is reported once, and is not a point")
{
    const auto metrics = text("step (\\S+)", {{"loss", "loss=(\\S+)"}});
    CHECK(picked(metrics, {"loss=low", "loss=12ms", "step one loss=1", "step two"})
          == "[the value of 'loss' is 'low', which is not a number] "
             "[the expression of step matched 'one', which is not an integer] loss@0=1 ");
}

TEST_CASE("numbers are read in all usual formats, and text that only starts with one is ignored")
{
    CHECK(numberIn("0.12") == 0.12);
    CHECK(numberIn("+1e-3") == 1e-3);
    CHECK(numberIn("-.5,") == -0.5);
    CHECK(numberIn(" 97.5%") == 97.5);
    CHECK(numberIn("(3)") == 3);
    CHECK(numberIn("-inf") == -HUGE_VAL);
    CHECK(numberIn("1e999") == HUGE_VAL);
    CHECK(numberIn("1e-999") == 0);
    CHECK(std::isnan(*numberIn("NaN")));
    for (const char *none : {"", "-", "12ms", "1,234", "low", "1.2.3", "%", "0x10"})
        CHECK_FALSE(numberIn(none).has_value());
}

TEST_CASE("JSON lines give the values at the selected keys, and other lines nothing")
{
    const auto metrics = json("epoch", {{"loss", "loss"}, {"val_loss", "val.loss"}, {"dotted", "a.b"}});
    CHECK(picked(metrics, {R"(starting)", R"({"epoch": 2, "loss": 0.5, "val": {"loss": 0.75, "n": 3}, "a.b": 1})",
                           R"({"loss": 0.25})", R"({"epoch": 3, "loss": "low"})", R"({"loss": null})", R"({"loss":)",
                           R"([1, 2])", R"(  {"loss": "1.5"})"})
          == "dotted@2=1 loss@2=0.5 val_loss@2=0.75 loss@2=0.25 "
             "[the value of 'loss' is '\"low\"', which is not a number] loss@3=1.5 ");
}

TEST_CASE("without selected series, every number in JSON lines is one")
{
    CHECK(picked(json("step"), {R"({"step": 1, "loss": 2, "val": {"acc": 0.5}, "text": "3", "ok": true, "list": [1]})"})
          == "loss@1=2 val.acc@1=0.5 ");
    CHECK(picked(json(""), {R"({"a": 1})", R"({"a": 2, "b": 7})"}) == "a@1=1 a@2=2 b@1=7 ");
}

TEST_CASE("Python's notations of non-finite numbers are read")
{
    CHECK(picked(json("step"), {R"({"step": 1, "loss": NaN, "low": -Infinity, "say": "NaN \" Infinity {"})"})
          == "loss@1=nan low@1=-inf ");
}

TEST_CASE("deep, long and damaged lines do no harm")
{
    std::string deep;
    for (int i = 0; i < 20'000; ++i)
        deep += "{\"a\":";
    CHECK(picked(json(""), {R"({"text": "{{[[ \" ]{", "a": {"b": [[1]], "c": 2}})"}) == "a.c@1=2 ");
    CHECK(picked(json("step"), {deep, deep + "1" + std::string(20'000, '}'), "{\xff\xfe", "{\"\xff\": 1}"}).empty());
    std::string many = "{\"x\": 0";
    for (int i = 0; i < 5000; ++i)
        many += ", \"k" + std::to_string(i) + "\": 1";
    const std::string found = picked(json(""), {many + "}"});
    CHECK(std::count(found.begin(), found.end(), '@') == 1000);
}

TEST_CASE("an invalid expression is refused")
{
    MetricsPicker::Sink sink;
    const auto refused = MetricsPicker::create(text("(", {{"loss", "x"}}), sink);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message.find("the expression of step is not a valid regular expression: missing )") == 0);
}
