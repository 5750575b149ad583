static inline long long smaller(long long a, long long b) { return a < b ? a : b; }
