// C++ streams as programs use them: formatted output, seeking, binary blocks, reading back, errors.
#include <array>
#include <fstream>
#include <iostream>
#include <numeric>
#include <string>

int main() {
  {
    std::ofstream text("numbers.txt");
    for (int i = 0; i < 2000; ++i) text << i << ' ' << i * i << '\n';
  }
  std::array<double, 512> block{};
  {
    std::ofstream binary("blocks.bin", std::ios::binary);
    for (int b = 0; b < 32; ++b) {
      block.fill(b);
      binary.write(reinterpret_cast<const char*>(block.data()), sizeof block);
    }
  }
  std::ifstream binary("blocks.bin", std::ios::binary);
  double sum = 0;
  for (int b = 30; b >= 0; b -= 10) {
    binary.seekg(static_cast<std::streamoff>(b) * static_cast<std::streamoff>(sizeof block));
    binary.read(reinterpret_cast<char*>(block.data()), sizeof block);
    sum += std::accumulate(block.begin(), block.end(), 0.0);
  }
  std::ifstream text("numbers.txt");
  long total = 0;
  for (long a = 0, b = 0; text >> a >> b;) total += b - a;
  std::ifstream missing("no/such/file");
  std::cout << "sum " << sum << " total " << total << " missing " << missing.is_open() << std::endl;
  std::cerr << "done\n";
  return total % 7 == 0 ? 0 : 3;
}
