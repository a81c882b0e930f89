#include "output/printedline.h"

#include <doctest/doctest.h>
#include <sstream>
#include <string>

using namespace sweepscope::output;

namespace {

/// "epoch 1 step 5/10 loss=0.5 …"
std::string found(std::string_view line)
{
    const PrintedLine read = readPrintedLine(line);
    std::ostringstream text;
    const auto add = [&text](const std::string &word) { text << (text.str().empty() ? "" : " ") << word; };
    if (read.epoch)
        add("epoch " + std::to_string(*read.epoch));
    if (read.step)
        add("step " + std::to_string(*read.step) + (read.steps ? "/" + std::to_string(*read.steps) : ""));
    for (const PrintedValue &value : read.values) {
        add(value.name + "=");
        text << value.value;
    }
    return text.str();
}

struct Case {
    const char *line;
    const char *expected;
};

}  // namespace

TEST_CASE("lines of training scripts are read as their authors mean them")
{
    const Case cases[] = {
        {"Epoch 3/10 ... loss: 0.123", "epoch 3 loss=0.123"},
        {"step 100 loss 0.5", "step 100 loss=0.5"},
        {"Epoch [1/5], Step [100/600], Loss: 0.1234", "epoch 1 step 100/600 loss=0.1234"},
        {"iter 120: loss 2.3456, time 12.3ms, mfu -100.00%", "step 120 loss=2.3456 mfu=-100"},
        {"step 250: train loss 2.4313, val loss 2.4406", "step 250 train_loss=2.4313 val_loss=2.4406"},
        {"{'loss': 2.31, 'grad_norm': 1.5, 'learning_rate': 5e-05, 'epoch': 0.1}",
         "loss=2.31 grad_norm=1.5 learning_rate=5e-05 epoch=0.1"},
        {"{'loss': '2.31', 'learning_rate': '5e-05', 'epoch': '1.0'}", "loss=2.31 learning_rate=5e-05 epoch=1"},
        {R"({"step": 7, "loss": 0.5, "name": "x"})", "step 7 loss=0.5"},
        {"train_loss=0.12", "train_loss=0.12"},
        {"[2026-01-02 10:23:45,123][INFO] epoch=3 val/loss=0.5 val/acc=90%", "epoch 3 val/loss=0.5 val/acc=90"},
        {"1875/1875 [==============================] - 4s 2ms/step - loss: 0.3 - accuracy: 0.9 - val_loss: 0.25",
         "step 1875/1875 loss=0.3 accuracy=0.9 val_loss=0.25"},
        {"  12/1875 ━━━━━━━━━━━━━━━━━━━━ 4s 2ms/step - accuracy: 0.9 - loss: 0.3",
         "step 12/1875 accuracy=0.9 loss=0.3"},
        {"100/100 - 1s - loss: 0.3", "step 100/100 loss=0.3"},
        {" 50%|█████     | 50/100 [00:01<00:01, 45.2it/s, loss=0.3, acc=91.5%]", "step 50/100 loss=0.3 acc=91.5"},
        {"Epoch 2:  50%|#####     | 50/100 [00:01<00:01, 45.2it/s, v_num=4, train_loss=0.3]",
         "epoch 2 step 50/100 train_loss=0.3"},
        {"Train Epoch: 1 [640/60000 (1%)]\tLoss: 2.289483", "epoch 1 step 640/60000 loss=2.28948"},
        {"Test set: Average loss: 0.0487, Accuracy: 9843/10000 (98%)", "test_average_loss=0.0487 test_accuracy=0.9843"},
        {"Epoch: [0][  10/5005]\tTime  0.5 ( 0.6)\tLoss 6.9e+00 (7.0e+00)\tAcc@1   0.00 (  0.10)",
         "epoch 0 step 10/5005 loss=6.9 acc@1=0"},
        {"| epoch   1 |   200/ 2928 batches | lr 20.00 | ms/batch 12.50 | loss  7.63 | ppl  2064.78",
         "epoch 1 step 200/2928 lr=20 loss=7.63 ppl=2064.78"},
        {"[Epoch 1/200] [Batch 3/938] [D loss: 0.5] [G loss: -0.7]", "epoch 1 step 3/938 d_loss=0.5 g_loss=-0.7"},
        {"loss: 2.290896  [   64/60000]", "step 64/60000 loss=2.2909"},
        {"[1,  2000] loss: 2.204", "loss=2.204"},
        {"global_step=1200 step=3 loss=nan lr=1e-3", "step 1200 loss=nan lr=0.001"},
        {"Iteration 7 | Validation Accuracy = 0.875 | Best val loss: +.25",
         "step 7 validation_accuracy=0.875 best_val_loss=0.25"},
        {"epoch 4 train: loss 0.5, acc 0.75 val: loss 0.25, acc 0.5",
         "epoch 4 loss=0.5 acc=0.75 val_loss=0.25 val_acc=0.5"},
        {"Loss: 0.5, Val Loss: 0.4, Acc: 0.9, Val. Acc: 0.8", "loss=0.5 val_loss=0.4 acc=0.9 val_acc=0.8"},
        {"Validation DataLoader 0: 100%|##########| 5/5 [00:00<00:00, 9.1it/s, loss=0.5]", "validation_loss=0.5"},
        {"epoch 3 loss tensor(0.3210, grad_fn=<MseLossBackward0>)", "epoch 3 loss=0.321"},
        {"loss=0.5,mae=0.25;rmse=-inf", "loss=0.5 mae=0.25 rmse=-inf"},
        {"step 5 reward: 200 took: 1.5 Learning rate: 1e-4", "step 5 reward=200 took=1.5 learning_rate=0.0001"},
        {"Epoch 2/10", "epoch 2"},
        {"Step 1,000: loss 0.5", "step 1000 loss=0.5"},
        {"Step 12,000/1,000,000, loss 0.5", "step 12000/1000000 loss=0.5"},
        {"step 1,20 loss=0.5", "loss=0.5"},
        {"Test: [97/98]\tTime  0.1 ( 0.1)\tLoss 9.0e-01 (8.0e-01)\tAcc@1  95.31 ( 71.25)",
         "test_loss=0.8 test_acc@1=71.25"},
        {"Test: [  10/98]\tLoss 9.0e-01 (8.0e-01)\tAcc@1  95.31 ( 71.25)", ""},
        {"Train: 2 [  10/ 100 ( 10%)]  Loss: 0.5 (0.6)  LR: 1.0e-3  Data: 0.01 (0.02)",
         "epoch 2 step 10/100 loss=0.5 lr=0.001"},
        {"[7]\ttrain-logloss:0.5\teval-logloss:0.625", "step 7 train-logloss=0.5 eval-logloss=0.625"},
        {"epoch 001:     10 / 2000 loss=9.5, ppl=724.5, num_updates=10, lr=1e-05",
         "epoch 1 step 10 loss=9.5 ppl=724.5 lr=1e-05"},
        {"step 3 loss: 0.5 data_time: 0.1 memory: 2048", "step 3 loss=0.5"},
        {" * Acc@1 71.234 Acc@5 90.3", "test_acc@1=71.234 test_acc@5=90.3"},
        {"{'eval_loss': 0.4, 'eval_runtime': 1.5, 'epoch': 1.0}", "eval_loss=0.4 epoch=1"},
        {"epoch 1 loss: 0.5 batch_size: 32", "epoch 1 loss=0.5"},
    };
    for (const Case &one : cases) {
        INFO(one.line);
        CHECK(found(one.line) == one.expected);
    }
}

TEST_CASE("names of up to 128 characters are read")
{
    const auto read = [](std::size_t letters) { return found("loss=1 " + std::string(letters, 'm') + "=2"); };
    CHECK(read(128) == "loss=1 " + std::string(128, 'm') + "=2");
    CHECK(read(129) == "loss=1");
}

TEST_CASE("numbers that are no metrics are left alone")
{
    const char *const cases[] = {
        "",
        "2026-01-02 10:23:45,123 - INFO - started, 4 workers",
        "Downloading: 45%|####      | 45.0M/100M [00:10<00:12, 4.5MB/s]",
        "Map: 100%|##########| 1000/1000 [00:00<00:00, 5000.0 examples/s]",
        "Namespace(lr=0.1, betas=(0.9, 0.99), loss=1, epochs=10, batch_size=32)",
        "{'lr': 0.1, 'batch_size': 32, 'epochs': 10, 'num_workers': 4}",
        "python train.py --lr 0.1 --loss 0.5 --seed=3",
        "number of parameters: 10.65M, tokens per iteration: 16,384",
        "Saved checkpoints/epoch=3-step=100-val_loss=0.25.ckpt",
        "saving to /tmp/loss=0.5/model_step_3.pt, out/run.loss.3",
        "train.py:45: UserWarning: lr_scheduler.step() before optimizer.step()",
        "  File \"train.py\", line 12, in <module>",
        "rank: 0 world_size: 2 port: 29500 seed=42 gpu: 0",
        "cuda:0 memory: 512 MiB, 1,024 files",
        "loss function: CrossEntropyLoss, label smoothing 0.1",
        "loss=1.2.3 accuracy: 12ms loss: 1,234 acc: 10:15:00 loss information",
        "learning rate: 0.1",
        "C:\\runs\\loss=0.5",
        "https://example.org/runs/loss=3",
        "Sanity Checking DataLoader 0: 100%|##########| 2/2 [00:00<00:00, 9.1it/s]",
        "[01/05 10:22:33] hello",
        "took 3 steps of 5",
    };
    for (const char *line : cases) {
        INFO(line);
        CHECK(readPrintedLine(line).values.empty());
    }
    CHECK(found("epoch 3 eta: 0:05:23, train.py:12 seed=4, lr=0.1") == "epoch 3 lr=0.1");
}

TEST_CASE("long and damaged lines are read in linear time")
{
    constexpr std::size_t length = 64 * 1024;
    for (const std::string part :
         {"a(", "a ",   "1/2 ", "1/2 [", " ",      "=",      "val ",   "loss",    "loss ",        "'", "a:", "a=(",
          "9",  "\xff", "-",    "[1/",   "a a(b ", "epoch ", "step [", "tensor(", "loss: tensor("}) {
        std::string line;
        while (line.size() < length)
            line += part;
        INFO(part);
        CHECK(readPrintedLine(line).values.empty());
        CHECK(readPrintedLine(std::string(length / 2, ' ') + line).values.empty());
    }
    std::string many;
    for (int i = 0; i < 5000; ++i)
        many += "loss" + std::to_string(i) + "_loss=1 ";
    CHECK(readPrintedLine(many).values.size() == 100);
    CHECK(found(std::string("loss=0.5\0 acc=1", 15)) == "loss=0.5 acc=1");
}
