#include "sweep/builtinsettings.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace sweepscope::sweep {

namespace {

Key setting(const char *name, KeyType type, ParameterValue standard, const char *description)
{
    static const std::map<std::string, std::string> labels{
        {"dataset", "Da&ta set"},
        {"epochs", "&Epochs"},
        {"batch_size", "&Batch size per rank"},
        {"optimizer", "Optimi&zer"},
        {"lr", "&Learning rate"},
        {"hidden", "Hidden units (mlp)"},
        {"layers", "Hidden layers (mlp)"},
        {"train_samples", "Training samples"},
        {"threads", "Threads per rank"},
    };
    static const std::vector<std::string> usual{"dataset", "model", "epochs", "batch_size", "optimizer", "lr"};
    Key key;
    key.section = "run";
    key.name = name;
    key.type = type;
    key.defaultValue = std::move(standard);
    key.description = description;
    if (const auto label = labels.find(name); label != labels.end())
        key.label = label->second;
    key.isUsual = std::ranges::find(usual, name) != usual.end();
    return key;
}

Key choice(const char *name, const char *standard, std::vector<std::string> choices, const char *description)
{
    Key key = setting(name, KeyType::Choice, std::string(standard), description);
    key.choices = std::move(choices);
    return key;
}

Key with(const char *details, Key key)
{
    key.details = details;
    return key;
}

Key zero(const char *meaning, Key key)
{
    key.zero = meaning;
    return key;
}

Key text(const char *name, const char *absent, const char *description)
{
    Key key = setting(name, KeyType::String, std::string(), description);
    key.absent = absent;
    return key;
}

Key within(Key key, double minimum, double maximum)
{
    key.minimum = minimum;
    key.maximum = maximum;
    return key;
}

Key whole(const char *name, std::int64_t standard, double minimum, double maximum, const char *description)
{
    return within(setting(name, KeyType::Integer, standard, description), minimum, maximum);
}

Key number(const char *name, double standard, double minimum, double maximum, const char *description)
{
    return within(setting(name, KeyType::Float, standard, description), minimum, maximum);
}

Key yesNo(const char *name, bool standard, const char *description)
{
    return setting(name, KeyType::Boolean, standard, description);
}

std::vector<Key> dataSettings()
{
    const char *const relative = "A relative path starts in the sweep file's folder.";
    return {
        with("`\"digits\"` is an included data set of 1,797 handwritten digits of 8×8 pixels. MNIST, Fashion-MNIST and "
             "CIFAR-10 are read from `data_folder`, all others from `data_file`.",
             choice("dataset", "digits",
                    {"digits", "mnist", "fashion_mnist", "cifar10", "csv", "npy", "tensors", "safetensors", "text"},
                    "data set")),
        with(relative,
             text("data_folder",
                  "the environment variable `SWEEPSCOPE_MNIST`, `SWEEPSCOPE_FASHION_MNIST` or `SWEEPSCOPE_CIFAR10`",
                  "folder with the files of MNIST, Fashion-MNIST or CIFAR-10")),
        with("csv: a table with a header line. npy: an array of inputs (numpy.save). tensors and "
             "safetensors: inputs and targets (torch.save, safetensors.torch.save_file).",
             text("data_file", "", "file for csv, npy, tensors, safetensors or text")),
        with(relative, text("target_file", "", "file with the array of targets for npy")),
        text("target", "the last column", "column to predict, for csv"),
        with("`\"auto\"` is classification when all targets are integers or words.",
             choice("task", "auto", {"auto", "classification", "regression"},
                    "task for csv, npy, tensors and safetensors")),
        with("With false, an npy or safetensors file is mapped, and may be larger than memory. It must contain "
             "float32, or uint8 for images. `loader_threads` reads ahead.",
             yesNo("in_memory", true, "read all data at the start")),
        yesNo("standardize", true, "subtract the mean of the training data and divide by its standard deviation"),
        with("`\"flip\"` mirrors, `\"crop\"` shifts within a padded frame.",
             choice("augment", "none", {"none", "flip", "crop", "crop_flip"}, "random changes of training images")),
        whole("context", 64, 1, 65'536, "context length of the transformer, in characters"),
        with("`\"shuffle\"` is DistributedSampler, `\"sequential\"` the same without shuffling. `\"weighted\"` draws "
             "all "
             "classes equally often. `\"contiguous\"` is a fixed part of the data per rank.",
             choice("sampling", "shuffle", {"shuffle", "sequential", "weighted", "contiguous"}, "order of samples")),
        yesNo("drop_last", false, "drop samples that do not divide evenly among ranks, instead of repeating some"),
        with(
            "Like `DataLoader(drop_last=True)` in Python.",
            yesNo("drop_last_batch", false, "leave out the last batch of an epoch if it is smaller than `batch_size`")),
        zero("the trial's seed",
             with("A fixed seed gives all trials the same split.",
                  whole("split_seed", 0, 0, 1'000'000'000, "seed of the split into training, validation and test"))),
        number("validation_fraction", 0.15, 0.01, 0.9, "fraction of the training data held out for validation"),
        with("MNIST and CIFAR-10 have their own test set.",
             number("test_fraction", 0.15, 0.01, 0.9, "fraction of the data held out for the test")),
        zero("all", whole("train_samples", 0, 0, 1'000'000'000, "number of training samples to use")),
        zero("prepared when needed",
             whole("loader_threads", 0, 0, 64, "threads per rank that prepare batches in advance")),
    };
}

std::vector<Key> modelSettings()
{
    return {
        with("Softmax regression, fully connected, small convolutional, residual, a transformer on characters, or your "
             "own TorchScript file.",
             choice("model", "mlp", {"linear", "mlp", "cnn", "resnet", "transformer", "torchscript"}, "network")),
        with("A relative path starts in the sweep file's folder.",
             text("model_file", "", "file for model torchscript, written by torch.jit.save")),
        whole("hidden", 64, 1, 65'536, "width of hidden layers (mlp, cnn) or of the transformer"),
        whole("layers", 1, 1, 64, "hidden layers of mlp, blocks per stage of resnet, blocks of the transformer"),
        with("It must divide `hidden`.", whole("heads", 4, 1, 64, "attention heads of the transformer")),
        number("dropout", 0.0, 0, 0.99, "fraction of activations dropped in training"),
        with("Like `torch.nn.SyncBatchNorm`.",
             yesNo("sync_batch_norm", false, "batch normalization of resnet over the batches of all ranks")),
        with("Saves memory, and takes a third longer.",
             yesNo("activation_checkpointing", false,
                   "recompute activations inside blocks of resnet and transformer in the backward pass instead of "
                   "keeping them")),
    };
}

std::vector<Key> trainingSettings()
{
    return {
        whole("epochs", 10, 1, 100'000, "passes over the training data"),
        zero("all epochs", whole("max_steps", 0, 0, 1'000'000'000, "steps after which training ends")),
        zero("each epoch", whole("val_every", 0, 0, 1'000'000'000, "steps between validations")),
        whole("batch_size", 32, 1, 1'000'000, "samples per batch and rank"),
        whole("accumulate", 1, 1, 10'000, "batches whose gradients are accumulated in one step"),
        choice("optimizer", "sgd", {"sgd", "adam", "adamw", "rmsprop", "adagrad"}, "update rule"),
        number("lr", 0.01, 0, 1000, "learning rate"),
        number("momentum", 0.0, 0, 1, "momentum of sgd and rmsprop"),
        yesNo("nesterov", false, "Nesterov momentum of sgd"),
        number("beta1", 0.9, 0, 0.999999, "decay of the mean gradient of adam and adamw"),
        number("beta2", 0.999, 0, 0.999999999, "decay of the mean squared gradient of adam and adamw"),
        zero("PyTorch's value", number("eps", 0.0, 0, 1,
                                       "term that keeps adam, adamw, rmsprop and adagrad from "
                                       "dividing by zero")),
        number("weight_decay", 0.0, 0, 10, "weight decay (L2; decoupled for adamw)"),
        yesNo("decay_norm_and_bias", true, "apply weight decay to biases and to the weights of normalization layers"),
        choice("schedule", "constant", {"constant", "step", "cosine", "one_cycle"}, "schedule of the learning rate"),
        whole("warmup_steps", 0, 0, 1'000'000'000, "steps over which the learning rate rises to its value"),
        whole("decay_epochs", 10, 1, 100'000, "epochs between decays of schedule step"),
        number("decay_factor", 0.1, 0, 1, "factor of each decay of schedule step"),
        zero("not clipped", number("clip_norm", 0.0, 0, 1e9, "maximum total norm of the gradients")),
        number("label_smoothing", 0.0, 0, 0.99, "fraction of the target spread over all classes"),
        zero("never",
             whole("early_stop", 0, 0, 100'000, "validations without a better score after which training ends")),
        with("`val_loss` and `val_mae` are minimized, the others maximized.",
             choice("best_by", "val_loss",
                    {"val_loss", "val_accuracy", "val_top5_accuracy", "val_f1", "val_auc", "val_mae", "val_r2"},
                    "score that selects the best weights")),
        zero("off", with("Validation, test and the best weights use the average.",
                         number("ema_decay", 0.0, 0, 0.9999999,
                                "decay per step of an exponential moving average of the weights"))),
        with("bf16 uses autocast.",
             choice("precision", "float32", {"float32", "bf16"}, "precision of the forward and backward pass")),
        with("Like torch.set_float32_matmul_precision: `\"high\"` is TF32 on GPUs.",
             choice("matmul_precision", "highest", {"highest", "high", "medium"}, "precision of float32 products")),
        with("Slower on GPUs. An operation without a deterministic algorithm fails the trial.",
             yesNo("deterministic", false, "use only deterministic algorithms")),
        with("Faster with bf16 on GPUs.", yesNo("channels_last", false, "store images in channels-last order")),
        with("`\"fail\"` fails the trial, `\"skip\"` skips the step, `\"stop\"` saves a checkpoint and ends "
             "training.",
             choice("nan_policy", "fail", {"fail", "skip", "stop"},
                    "reaction to a loss or gradient that is not finite")),
    };
}

std::vector<Key> executionSettings()
{
    return {
        with("`\"auto\"` uses the GPU assigned to the rank, and fails if that GPU cannot be used.",
             choice("device", "auto", {"auto", "cuda", "cpu"}, "device that a rank computes on")),
        with(
            "`\"ddp\"`: a replica per rank. `\"data_parallel\"`: one rank with a replica per device. `\"model\"`: one "
            "rank with stages of the model on its devices. `\"hybrid\"`: ddp over such stages.",
            choice("parallel", "ddp", {"ddp", "data_parallel", "model", "hybrid"}, "how ranks and devices share work")),
        zero("all devices of the rank",
             whole("stages", 0, 0, 64, "devices per rank for data_parallel, model and hybrid")),
        whole("micro_batches", 1, 1, 1024, "parts of a batch that are pipelined through the stages"),
        number("bucket_mb", 25, 0.01, 4096, "size of a gradient bucket, in MiB"),
        yesNo("find_unused", false, "allow steps in which some parameters get no gradient"),
        zero("each epoch",
             whole("check_every", 0, 0, 1'000'000'000, "steps between comparisons of the ranks' weights")),
        zero("never", number("peer_timeout", 10, 0, 86'400, "seconds after which a silent rank counts as lost")),
        with("bf16 halves the traffic. Gradients are rounded before they are summed.",
             choice("exchange_precision", "float32", {"float32", "bf16"}, "precision in which gradients are sent")),
        yesNo("checkpoints", true, "save the last and the best state in the attempt's folder"),
        with("Several are `best-STEP.safetensors` in the checkpoint folder.",
             whole("keep_best", 1, 1, 1000, "number of best weights that are kept")),
        zero("each epoch", whole("checkpoint_every", 0, 0, 1'000'000'000, "steps between checkpoints")),
        yesNo("resume", true, "continue a retried trial from the last checkpoint of its earlier attempts"),
        zero("from OMP_NUM_THREADS", whole("threads", 0, 0, 1024, "compute threads per rank")),
    };
}

}  // namespace

std::vector<Key> builtinSettingKeys()
{
    std::vector<Key> all;
    for (auto &&part : {dataSettings(), modelSettings(), trainingSettings(), executionSettings()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

bool isPathSetting(std::string_view name)
{
    return name == "data_folder" || name == "data_file" || name == "target_file" || name == "model_file";
}

bool changesInTraining(std::string_view name)
{
    static const std::vector<std::string_view> names{
        "lr",       "momentum", "weight_decay", "dropout", "decay_factor", "clip_norm", "label_smoothing",
        "nesterov", "beta1",    "beta2",        "eps"};
    return std::ranges::find(names, name) != names.end();
}

const std::vector<std::string> &builtinObjectives()
{
    static const std::vector<std::string> names{"val_loss",
                                                "val_accuracy",
                                                "val_top5_accuracy",
                                                "val_f1",
                                                "val_auc",
                                                "val_mae",
                                                "val_r2",
                                                "test_loss",
                                                "test_accuracy",
                                                "test_top5_accuracy",
                                                "test_f1",
                                                "test_auc",
                                                "test_mae",
                                                "test_r2",
                                                "loss",
                                                "accuracy",
                                                "grad_norm",
                                                "step_time",
                                                "data_wait",
                                                "compute_time",
                                                "comm_wait",
                                                "samples_per_second",
                                                "tokens_per_second"};
    return names;
}

}  // namespace sweepscope::sweep
