/* Reads as many words as the recorded call did, and the rest of the line; none, or what shows the end. */
static inline int scan(FILE* stream, long long words) {
  static char format[200], w[4];
  int none = 0;
  format[0] = 0;
  for (long long i = 0; i < words && i < 32; ++i) strcat(format, "%1s");
  strcat(format, words > 0 ? "%*[^\n]%*1[\n]" : "%1s");
  return words == 0 ? fscanf(stream, "%n", &none)
                    : fscanf(stream, format, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w,
                             w, w, w, w, w, w, w, w, w, w);
}
