/* A name with numbers in it; good until eight others have been made. */
__attribute__((format(printf, 1, 2))) static inline const char* name(const char* format, ...) {
  static _Thread_local char names[8][4200];
  static _Thread_local unsigned next;
  char* at = names[next++ % 8];
  va_list numbers;
  va_start(numbers, format);
  vsnprintf(at, sizeof names[0], format ? format : "?", numbers);
  va_end(numbers);
  return at;
}
