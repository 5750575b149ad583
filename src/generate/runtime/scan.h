/* Reads as many words as the recorded call did, and the rest of the line. */
static inline int scan(FILE* stream, long long words) {
  static char format[64], word[8][4];
  format[0] = 0;
  for (long long i = 0; i < words && i < 8; ++i) strcat(format, "%1s");
  strcat(format, words > 0 ? "%*[^\n]" : "%1s");
  return fscanf(stream, format, word[0], word[1], word[2], word[3], word[4], word[5], word[6], word[7]);
}
