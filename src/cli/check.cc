// onesum check: a verdict on every checksum in captures. SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "capture/reader.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/filter.h"
#include "cli/listing.h"
#include "cli/live.h"
#include "cli/progress.h"

namespace onesum::cli {

namespace {

// How many bytes of packets a thread takes at a time: many enough that it seldom waits for the others.
constexpr std::size_t batch_bytes = 1 << 20;

// How much text is gathered before it is printed.
constexpr std::size_t much_text = 64 << 10;

// Packets that one thread judges, and what keeps their bytes where they are.
struct Batch {
    std::vector<capture::Packet> packets;
    std::vector<std::shared_ptr<const void>> memory;
};

class Check {
  public:
    Check(const CheckOptions &options, const std::string &name)
        : options_(options), name_(name), listing_(options, name) {}

    int run() {
        File file(name_);
        if (file.error() == 0)
            read(file);
        else
            fail(std::strerror(file.error()));
        const std::string summary = listing_.summary(tally_, problem_);
        std::fwrite(summary.data(), 1, summary.size(), stdout);
        listing_.complain_of_links(tally_);
        if (!problem_.empty()) complain(name_ + ": " + problem_);
        if (!readable_) return trouble;
        return tally_.bad() ? bad : good;
    }

  private:
    // What all threads share of a file.
    struct Source {
        capture::Input input;
        capture::Reader reader;
        Progress progress;
        Filter filter;

        Source(const File &file, const std::string &name, const CheckOptions &options)
            : input(file.descriptor()),
              reader(input),
              progress(name, input, options.quiet),
              filter(options.filter) {}
    };

    void read(const File &file) {
        Source source(file, name_, options_);
        if (options_.threads == 1)
            judge_one_by_one(source);
        else
            judge_in_batches(source);
        const std::optional<capture::Problem> &problem = source.reader.problem();
        if (!problem_.empty() || !problem) return;
        problem_ = problem->text();
        // A capture that ends within a record, as where its writer was killed, is told of, and judged by the
        // rest.
        readable_ = source.reader.is_capture() && problem->kind == capture::Problem::Kind::truncated;
    }

    void fail(const std::string &problem) {
        problem_ = problem;
        readable_ = false;
    }

    // The next packet that is wanted, or nullptr.
    const capture::Packet *next(Source &source) {
        if (!problem_.empty()) return nullptr;
        while (const capture::Packet *const packet = source.reader.next()) {
            source.progress.tick();
            const std::optional<bool> fits = source.filter.fits(*packet);
            if (!fits) fail(source.filter.error());
            if (!fits) return nullptr;
            if (*fits) return packet;
        }
        return nullptr;
    }

    void judge_one_by_one(Source &source) {
        // Who looks on wants to see each line at once.
        const std::size_t enough_text = isatty(STDOUT_FILENO) ? 1 : much_text;
        Outcome outcome;
        while (const capture::Packet *const packet = next(source)) {
            listing_.judge(*packet, outcome, options_.first - listed_);
            if (outcome.text.size() >= enough_text) take(source, outcome);
        }
        take(source, outcome);
    }

    // One thread at a time reads a batch, and prints what it came to, in the order of the file.
    void judge_in_batches(Source &source) {
        std::mutex reading, writing;
        std::condition_variable turn;
        std::uint64_t read = 0, written = 0;  // batches
        const auto work = [&] {
            Batch batch;
            for (;;) {
                std::uint64_t number;
                {
                    const std::lock_guard lock(reading);
                    if (!fill(source, batch)) return;
                    number = read++;
                }
                Outcome outcome;
                for (const capture::Packet &packet : batch.packets)
                    listing_.judge(packet, outcome, options_.first);
                std::unique_lock lock(writing);
                turn.wait(lock, [&] { return written == number; });
                take(source, outcome);
                ++written;
                turn.notify_all();
            }
        };
        std::vector<std::thread> threads;
        for (unsigned i = 1; i < options_.threads; ++i) threads.emplace_back(work);
        work();
        for (std::thread &thread : threads) thread.join();
    }

    // Reads another batch. False if there is none.
    bool fill(Source &source, Batch &batch) {
        batch.packets.clear();
        batch.memory.clear();
        for (std::size_t bytes = 0; bytes < batch_bytes;) {
            const capture::Packet *const packet = next(source);
            if (!packet) break;
            batch.packets.push_back(*packet);
            bytes += sizeof *packet + packet->bytes.size();
            if (std::shared_ptr<const void> memory = source.input.memory();
                batch.memory.empty() || batch.memory.back() != memory)
                batch.memory.push_back(std::move(memory));
        }
        return !batch.packets.empty();
    }

    // Counts and prints.
    void take(Source &source, Outcome &outcome) {
        tally_.add(outcome.tally);
        const std::uint64_t lines = std::min<std::uint64_t>(outcome.ends.size(), options_.first - listed_);
        if (lines != 0) {
            source.progress.clear();
            std::fwrite(outcome.text.data(), 1, outcome.ends[lines - 1], stdout);
            listed_ += lines;
        }
        outcome = {};
    }

    const CheckOptions &options_;
    const std::string name_;
    const Listing listing_;
    Tally tally_;
    std::uint64_t listed_ = 0;  // lines
    std::string problem_;       // why not all of the file could be read,
    bool readable_ = true;      // which is less than an error if only its last record is not whole
};

}  // namespace

int check(const CheckOptions &options) {
    if (!options.live.empty()) return check_live(options);
    if (options.files == std::vector<std::string>{"-"} && isatty(STDIN_FILENO)) {
        complain("standard input is a terminal: name a capture, or pipe one in (see onesum check --help)");
        return trouble;
    }
    int status = good;
    for (const std::string &name : options.files) status = std::max(status, Check(options, name).run());
    return status;
}

}  // namespace onesum::cli
