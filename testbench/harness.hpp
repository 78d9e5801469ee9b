// The half of the bench that is linked with a Verilated module: clock, reset,
// waveform, coverage, and batches of records over stdin and stdout. The Go half
// is bench.go, which makes the stimulus and compares. A binding lists the ports:
//
//   #include "harness.hpp"
//   #include "Vtop.h"
//   BENCH(Vtop, IN(in_valid_i) OUT(in_ready_o))
//
// After the line that names its ports the program answers batches: a count n
// (32 bits, little endian) and n input records give n output records; n = 0 ends
// it. A record holds the ports in the order of the binding, each as Verilator
// holds it (1, 2, 4 or 8 bytes); a port of more than 64 bits counts as ports of 64
// bits, the lowest first, with .0, .1 and so on behind the name, the last of them of
// 4 or 8 bytes. One record is one cycle: the inputs change while the clock is low,
// the outputs are sampled before the rising edge.
//
// Arguments: --trace FILE FROM TO, --coverage FILE, --seed N (registers start at
// random values; 0: at zero, 1: at all ones), --repeat N (time the one batch N times over, answer
// with the nanoseconds a cycle), --mutant N.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "verilated.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

#ifdef VC_MUTANTS
extern int vc_mutant;  // read by the mutated module
int vc_mutant = 0;
bool vc_running = false;  // reset is over

// What is given does not hold.
inline void vc_broken(int n) {
  if (!vc_running || vc_mutant) return;
  std::fprintf(stderr, "bench: condition %d is broken\n", n);
  std::exit(1);
}
#endif

double sc_time_stamp() { return 0; }

template <class Top>
class Bench {
 public:
  Bench(int argc, char** argv) {
    for (int i = 1; i < argc; i++) {
      auto is = [&](const char* name, int args) { return !std::strcmp(argv[i], name) && i + args < argc; };
      if (is("--trace", 3)) {
        trace_ = argv[i + 1], from_ = std::strtoull(argv[i + 2], nullptr, 10), to_ = std::strtoull(argv[i + 3], nullptr, 10), i += 3;
      } else if (is("--coverage", 1)) {
        coverage_ = argv[++i];
      } else if (is("--seed", 1)) {
        seed_ = std::atoi(argv[++i]);
      } else if (is("--repeat", 1)) {
        repeat_ = std::strtoull(argv[++i], nullptr, 10);
#ifdef VC_MUTANTS
      } else if (is("--mutant", 1)) {
        vc_mutant = std::atoi(argv[++i]);
#endif
      } else {
        std::fprintf(stderr, "bench: argument %s\n", argv[i]);
        std::exit(2);
      }
    }
    context_.randReset(seed_ < 2 ? seed_ : 2);
    context_.randSeed(seed_);
    context_.traceEverOn(trace_ != nullptr);
    top_.reset(new Top(&context_));
  }

  Top* top() { return top_.get(); }

  template <class T>
  void in(const char* name, T& port) {
    inputs_.push_back({name, &port, sizeof port});
    in_size_ += sizeof port;
  }
  template <class T>
  void out(const char* name, T& port) {
    outputs_.push_back({name, &port, sizeof port});
    out_size_ += sizeof port;
  }

  template <std::size_t N>
  void in(const char* name, VlWide<N>& port) {
    in_size_ += wide(inputs_, name, port);
  }
  template <std::size_t N>
  void out(const char* name, VlWide<N>& port) {
    out_size_ += wide(outputs_, name, port);
  }

  int run() {
    for (auto& p : inputs_) std::printf("in:%s:%zu ", p.name.c_str(), p.size);
    for (auto& p : outputs_) std::printf("out:%s:%zu ", p.name.c_str(), p.size);
    std::printf("\n");
    std::fflush(stdout);
#if VM_TRACE
    if (trace_) top_->trace(&vcd_, 99), vcd_.open(trace_);
#endif
    reset();
    std::vector<uint8_t> in, out;
    for (uint32_t n; read(&n, sizeof n) && n > 0;) {
      in.resize(n * in_size_), out.resize(n * out_size_);
      if (!read(in.data(), in.size())) return fail("the input ends inside a batch");
      if (repeat_) return time(in, out, n);
      for (uint32_t i = 0; i < n; i++) cycle(&in[i * in_size_], &out[i * out_size_]);
      if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size() || std::fflush(stdout)) return fail("cannot write");
    }
    top_->final();
#if VM_TRACE
    if (trace_) vcd_.close();
#endif
#if VM_COVERAGE
    if (coverage_) context_.coveragep()->write(coverage_);
#endif
    return 0;
  }

 private:
  struct Port {
    std::string name;
    void* data;
    size_t size;
  };

  template <std::size_t N>
  static size_t wide(std::vector<Port>& ports, const char* name, VlWide<N>& port) {
    for (size_t i = 0; i < N; i += 2)
      ports.push_back({std::string(name) + "." + std::to_string(i / 2), &port[i], i + 1 < N ? 8u : 4u});
    return 4 * N;
  }

  // Two cycles of reset, with all inputs low.
  void reset() {
    for (auto& p : inputs_) std::memset(p.data, 0, p.size);
    set_reset(top_.get(), 1, 0);
    for (int i = 0; i < 2; i++) {
      edge(0);
      edge(1);
    }
    set_reset(top_.get(), 0, 0);
#ifdef VC_MUTANTS
    vc_running = true;
#endif
  }

  void edge(int v) {
    set_clock(top_.get(), v, 0);
    top_->eval();
  }

  // Arithmetic alone has no clock, and a memory no reset.
  template <class T>
  static auto set_clock(T* top, int v, int) -> decltype(top->clk_i, void()) {
    top->clk_i = v;
  }
  template <class T>
  static void set_clock(T*, int, long) {}

  template <class T>
  static auto set_reset(T* top, int v, int) -> decltype(top->rst_i, void()) {
    top->rst_i = v;
  }
  template <class T>
  static void set_reset(T*, int, long) {}

  void cycle(const uint8_t* in, uint8_t* out) {
    for (auto& p : inputs_) std::memcpy(p.data, in, p.size), in += p.size;
    edge(0);
    for (auto& p : outputs_) std::memcpy(out, p.data, p.size), out += p.size;
    dump(0);
    edge(1);
    dump(1);
    cycle_++;
  }

  void dump(int half) {
#if VM_TRACE
    if (trace_ && cycle_ >= from_ && cycle_ < to_) vcd_.dump(2 * cycle_ + half);
#endif
    (void)half;
  }

  int time(std::vector<uint8_t>& in, std::vector<uint8_t>& out, uint32_t n) {
    auto start = std::clock();  // of the processor: other programs do not count
    for (uint64_t r = 0; r < repeat_; r++)
      for (uint32_t i = 0; i < n; i++) cycle(&in[i * in_size_], &out[i * out_size_]);
    double took = double(std::clock() - start) / CLOCKS_PER_SEC * 1e9;
    std::printf("%.3f\n", took / (double(repeat_) * n));
    return 0;
  }

  static bool read(void* p, size_t n) { return std::fread(p, 1, n, stdin) == n; }
  static int fail(const char* why) { return std::fprintf(stderr, "bench: %s\n", why), 1; }

  VerilatedContext context_;
  std::unique_ptr<Top> top_;
#if VM_TRACE
  VerilatedVcdC vcd_;
#endif
  std::vector<Port> inputs_, outputs_;
  size_t in_size_ = 0, out_size_ = 0;
  const char *trace_ = nullptr, *coverage_ = nullptr;
  uint64_t from_ = 0, to_ = 0, cycle_ = 0, repeat_ = 0;
  int seed_ = 0;
};

#define IN(port) bench.in(#port, bench.top()->port);
#define OUT(port) bench.out(#port, bench.top()->port);
#define BENCH(Top, ports)          \
  int main(int argc, char** argv) { \
    Bench<Top> bench(argc, argv);  \
    ports return bench.run();      \
  }
