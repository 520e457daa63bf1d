/// \file
/// \brief A training that is interrupted and resumed ends with the same bits. Programs that are sent
/// SIGINT by others are tested with their chapters.
#include "common/nn/training.hpp"

#include "common/program/bad_input.hpp"
#include "common/program/files.hpp"
#include "tests/common/nn/small_training.hpp"
#include "tests/common/parallel/simulated_processes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/same_bits.hpp"

#include <csignal>
#include <cstdint>
#include <exception>
#include <limits>
#include <string>

using namespace attn;
using namespace attn::nn;
using attn::program::BadInput;
using attn::program::Interrupted;
using attn::program::InterruptWatch;
using attn::testing::contains;
using attn::testing::same_bits;
using attn::testing::ScratchFolder;

namespace fs = std::filesystem;

namespace {

template <typename Optimiser, typename T>
using Small = attn::testing::SmallTraining<Optimiser, T>;
using WithAdam = Small<Adam<float>, float>;

/// Takes the steps that there are to take.
template <typename T>
std::vector<double> train(const TrainingPlan& plan, const Parameters<T>& parameters,
                          State<T> state, const std::function<double(std::size_t)>& step)
{
    Training<T> training(plan, parameters, std::move(state));
    while (training.goes_on()) {
        training.record(step(training.step()));
    }
    return training.end();
}

/// SIGINT as a shell gives it to a program in the foreground, and afterwards as it was.
class Foreground
{
public:
    Foreground() : before_(std::signal(SIGINT, SIG_DFL)) {}
    ~Foreground() { std::signal(SIGINT, before_); }
    Foreground(const Foreground&) = delete;
    Foreground& operator=(const Foreground&) = delete;

private:
    void (*before_)(int);
};

/// Trains with Ctrl-C in given steps, going on from the file each time by a new model.
template <typename Model>
std::vector<double> train_interrupted(Model& last, const fs::path& file, std::size_t n_steps,
                                      std::vector<std::size_t> at)
{
    std::vector<double> losses;
    bool resuming = false;
    while (true) {
        Model model(resuming ? 99 : 1); // what it begins with must not matter
        TrainingPlan plan{.n_steps = n_steps, .files = {.save = file.string()}};
        if (resuming) {
            plan.files.resume = file.string();
        }
        Model& used = at.empty() ? last : model;
        try {
            return train(plan, used.parameters, used.state(), [&](std::size_t step) {
                if (!at.empty() && step == at.front()) {
                    std::raise(SIGINT);
                }
                return used.step();
            });
        } catch (const Interrupted&) {
            at.erase(at.begin());
            resuming = true;
        }
    }
}

} // namespace

TEMPLATE_TEST_CASE("a training taken up again ends with the same bits", "[nn]",
                   (Small<Sgd<float>, float>), (Small<Adam<float>, float>),
                   (Small<Adam<double>, double>))
{
    const Foreground foreground;
    const ScratchFolder folder;
    const fs::path file = folder.path() / "c.safetensors";
    const std::size_t n_steps = 40;

    TestType whole(1);
    const std::vector<double> losses =
        train({.n_steps = n_steps, .files = {.save = (folder.path() / "w").string()}},
              whole.parameters, whole.state(), [&](std::size_t) { return whole.step(); });
    REQUIRE(losses.size() == n_steps);
    CHECK(losses.back() < losses.front());

    // Once with a normal number waiting and once without; at the first step, and near the end.
    for (const std::vector<std::size_t>& at :
         {std::vector<std::size_t>{10}, {11}, {0, 1, 17, 38}}) {
        TestType resumed(99);
        CHECK(train_interrupted(resumed, file, n_steps, at) == losses);
        CHECK(same_bits(resumed.first.value(), whole.first.value()));
        CHECK(same_bits(resumed.bias.value(), whole.bias.value()));
        CHECK(same_bits(resumed.second.value(), whole.second.value()));
        CHECK(program::read_file(file) ==
              program::read_file(folder.path() / "w")); // all of the state as well
    }
}

TEST_CASE("Ctrl-C lets the step end and says how to go on", "[nn]")
{
    const Foreground foreground;
    const ScratchFolder folder;
    WithAdam model(1);
    std::size_t n_done = 0;
    const auto interrupted_step = [&](std::size_t) {
        std::raise(SIGINT);
        ++n_done;
        return model.step();
    };
    TrainingPlan plan{.n_steps = 9, .label = "the GRU"};
    CHECK_THROWS_WITH(train(plan, model.parameters, model.state(), interrupted_step),
                      "the GRU was interrupted after step 1 of 9 and is lost; with --save FILE "
                      "it would be kept");
    CHECK(n_done == 1);
    plan.files.save = (folder.path() / "it's").string();
    CHECK_THROWS_WITH(
        train(plan, model.parameters, model.state(), interrupted_step),
        contains("interrupted after step 1 of 9; --resume '" + *plan.files.save + "' goes on"));
    CHECK(fs::exists(*plan.files.save));
}

TEST_CASE("SIGINT does after a training what it did before", "[nn]")
{
    static volatile std::sig_atomic_t n_taken;
    n_taken = 0;
    void (*const before)(int) = std::signal(SIGINT, [](int) { n_taken = n_taken + 1; });
    WithAdam model(1);
    const auto step = [&](std::size_t) { return model.step(); };
    train({.n_steps = 2}, model.parameters, model.state(), step);
    std::raise(SIGINT);
    CHECK(n_taken == 1);

    std::signal(SIGINT, [](int) { n_taken = n_taken + 1; });
    CHECK_THROWS_AS(train({.n_steps = 2}, model.parameters, model.state(),
                          [&](std::size_t) {
                              std::raise(SIGINT);
                              return model.step();
                          }),
                    Interrupted);
    CHECK(n_taken == 1);
    std::raise(SIGINT);
    CHECK(n_taken == 2);

    // Where it was ignored it stays ignored.
    std::signal(SIGINT, SIG_IGN);
    const std::vector<double> losses =
        train({.n_steps = 2}, model.parameters, model.state(), [&](std::size_t) {
            std::raise(SIGINT);
            return model.step();
        });
    CHECK(losses.size() == 2);
    CHECK(std::signal(SIGINT, before) == SIG_IGN);
}

TEST_CASE("watches side by side count as one", "[nn]")
{
    const Foreground foreground;
    {
        const InterruptWatch first;
        {
            const InterruptWatch second;
            std::raise(SIGINT);
        }
        CHECK(InterruptWatch::requested());
    }
    const InterruptWatch next;
    CHECK_FALSE(InterruptWatch::requested());
}

TEST_CASE("a loss that is no number ends the training, naming the step", "[nn]")
{
    const ScratchFolder folder;
    const std::string file = (folder.path() / "c").string();
    for (const double loss :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        WithAdam model(1);
        CHECK_THROWS_WITH(train({.n_steps = 9, .files = {.save = file}}, model.parameters,
                                model.state(),
                                [&](std::size_t i) { return i == 4 ? loss : 1.0; }),
                          contains("training has diverged: the loss of step 5 is ") &&
                              contains("; try another --seed, or a lower learning rate"));
        CHECK(fs::is_empty(folder.path()));

        // The loss of a step is that before it: the last one's own fault is in the parameters.
        model.bias.value().data()[2] = static_cast<float>(loss);
        CHECK_THROWS_WITH(train({.n_steps = 2, .files = {.save = file}}, model.parameters,
                                model.state(), [](std::size_t) { return 1.0; }),
                          contains("after step 2 first.bias is not finite any more"));
        CHECK(fs::is_empty(folder.path()));
    }
}

TEST_CASE("files that cannot be used are found out before the first step", "[nn]")
{
    const ScratchFolder folder;
    WithAdam model(1);
    const auto never = [](std::size_t) -> double { throw std::logic_error("a step"); };
    const auto refusal = [&](std::size_t n_steps, const TrainingFiles& files) {
        return attn::testing::complaint_of<BadInput>([&] {
            train({.n_steps = n_steps, .files = files}, model.parameters, model.state(), never);
        });
    };
    CHECK(refusal(3, {.save = folder.path().string()}) ==
          "--save: '" + folder.path().string() + "' is a folder, not a file");
    const std::string file = (folder.path() / "none" / "c").string();
    CHECK(refusal(3, {.save = file}) ==
          "--save: '" + file + "' cannot be written: No such file or directory");
    CHECK_THAT(refusal(3, {.resume = file}), contains("cannot be read"));
    CHECK(fs::is_empty(folder.path()));

    const std::string kept = (folder.path() / "c").string();
    train({.n_steps = 5, .files = {.save = kept}}, model.parameters, model.state(),
          [&](std::size_t) { return model.step(); });
    CHECK(refusal(3, {.resume = kept}) ==
          kept + ": that training has done 5 steps already, more than the 3 of this one");
    CHECK(refusal(5, {.resume = kept}).empty()); // nothing is left to do
}

TEST_CASE("processes that are given different things stop before the first step", "[nn]")
{
    const auto refusal = [](const std::string& text, std::uint64_t seed) {
        std::string complaint;
        try {
            attn::testing::run_simulated(3, [&](const parallel::Processes& processes) {
                const bool odd = processes.rank() == 1;
                WithAdam model(odd ? seed : 1);
                const Training<float> training({.n_steps = 1,
                                                .settings = {{"text", odd ? text : "a"}},
                                                .sharing = {3, &processes}},
                                               model.parameters, model.state());
            });
        } catch (const std::exception& failure) {
            complaint = failure.what();
        }
        return complaint;
    };
    CHECK(refusal("a", 1).empty());
    CHECK(refusal("b", 1) ==
          "process 1 was given another text, or other options, than process 0");
    CHECK(refusal("a", 2) == "after step 0 process 1 holds other parameters than process 0: "
                             "all must run the same program");
}

TEST_CASE("a second SIGINT ends a program at once, and its old file stays", "[nn]")
{
    const Foreground foreground;
    const ScratchFolder folder;
    const fs::path file = folder.path() / "c";
    program::write_file(file, "old");
    WithAdam model(1);
    CHECK_THROWS_AS(train({.n_steps = 3, .files = {.save = file.string()}}, model.parameters,
                          model.state(),
                          [&](std::size_t) {
                              std::raise(SIGINT);
                              struct sigaction next = {};
                              sigaction(SIGINT, nullptr, &next);
                              CHECK(next.sa_handler == SIG_DFL); // which ends a program
                              CHECK(program::read_file(file) == "old");
                              return model.step();
                          }),
                    Interrupted);
}
