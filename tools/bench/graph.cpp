// A game on a graph by retrograde analysis, as one would write it by hand: an edge list read through a
// buffer, compressed rows forwards and backwards, degree counters, a queue, one thread. The yardstick of
// `dragnet bench --graph`.
//
//   g++ -O2 -o graph graph.cpp
//   ./graph FILE
//
// FILE: perhaps a line with the number of vertices, then a line "u v" for each edge, vertices from 0. Who
// cannot move loses. Prints one line of JSON. The digest is the wrapping sum over all vertices v of
// splitmix64(v + code * 0x9E3779B97F4A7C15), code 0 for a draw, else 1 + 2*dtw + (1 if the player to move
// wins).
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>
using namespace std;

static uint64_t splitmix64(uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

static FILE *in;
static char buffer[1 << 20];
static size_t have = 0, at = 0;

static int next_char() {
  if (at == have) {
    have = fread(buffer, 1, sizeof buffer, in);
    at = 0;
    if (have == 0) return EOF;
  }
  return (unsigned char)buffer[at++];
}

int main(int argc, char **argv) {
  if (argc < 2) return fprintf(stderr, "usage: graph FILE\n"), 2;
  in = fopen(argv[1], "rb");
  if (!in) return fprintf(stderr, "cannot read %s\n", argv[1]), 1;
  auto begin = chrono::steady_clock::now();
  vector<pair<uint32_t, uint32_t>> edges;
  size_t n = 0;
  uint32_t word[2] = {};
  int words = 0;
  bool digits = false;
  for (;;) {
    int c = next_char();
    if (c >= '0' && c <= '9') {
      if (!digits) word[words] = 0, digits = true;
      word[words] = word[words] * 10 + (c - '0');
      continue;
    }
    if (digits) words++, digits = false;
    if (c == '\n' || c == EOF || words == 2) {
      if (words == 1) n = word[0];
      if (words == 2) {
        edges.emplace_back(word[0], word[1]);
        for (uint32_t v : word)
          if (v >= n) n = (size_t)v + 1;
      }
      words = 0;
    }
    if (c == EOF) break;
  }
  size_t m = edges.size();
  vector<uint32_t> first(n + 1), target(m), back_first(n + 1), back(m);
  for (auto [u, v] : edges) first[u + 1]++, back_first[v + 1]++;
  for (size_t v = 0; v < n; v++) first[v + 1] += first[v], back_first[v + 1] += back_first[v];
  {
    vector<uint32_t> place(first.begin(), first.end() - 1), back_place(back_first.begin(), back_first.end() - 1);
    for (auto [u, v] : edges) target[place[u]++] = v, back[back_place[v]++] = u;
  }
  vector<pair<uint32_t, uint32_t>>().swap(edges);
  auto read = chrono::steady_clock::now();

  vector<uint32_t> moves_left(n), dtw(n, 0), queue;
  vector<uint8_t> value(n, 0);  // 1 lost, 2 won
  queue.reserve(n);
  for (size_t v = 0; v < n; v++) {
    moves_left[v] = first[v + 1] - first[v];
    if (moves_left[v] == 0) value[v] = 1, queue.push_back(v);
  }
  for (size_t i = 0; i < queue.size(); i++) {
    uint32_t v = queue[i];
    for (uint32_t e = back_first[v]; e < back_first[v + 1]; e++) {
      uint32_t u = back[e];
      if (value[u]) continue;
      if (value[v] == 1 || --moves_left[u] == 0) {
        value[u] = value[v] == 1 ? 2 : 1;
        dtw[u] = dtw[v] + 1;
        queue.push_back(u);
      }
    }
  }
  auto solved = chrono::steady_clock::now();
  uint64_t count[3] = {}, digest = 0;
  uint32_t longest = 0;
  for (size_t v = 0; v < n; v++) {
    count[value[v]]++;
    if (dtw[v] > longest) longest = dtw[v];
    uint64_t code = value[v] == 0 ? 0 : 1 + 2ull * dtw[v] + (value[v] == 2);
    digest += splitmix64(v + code * 0x9E3779B97F4A7C15ull);
  }
  auto seconds = [](auto from, auto to) { return chrono::duration<double>(to - from).count(); };
  printf("{\"vertices\":%zu,\"edges\":%zu,\"won\":%lu,\"lost\":%lu,\"drawn\":%lu,\"longest\":%u,\"digest\":\"%016lx\","
         "\"read_seconds\":%.4f,\"solve_seconds\":%.4f}\n",
         n, m, count[2], count[1], count[0], longest, digest, seconds(begin, read), seconds(read, solved));
}
