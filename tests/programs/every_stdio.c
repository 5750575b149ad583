// Calls functions of layer stdio, with results that are the same each time. Prints what it gets.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#define SHOW(call) printf("%s = %ld\n", #call, (long)(call))

static void writing(void) {
  FILE* f = fopen("text", "w");
  SHOW(setvbuf(f, NULL, _IOFBF, 1 << 16));
  SHOW(fputs("first line\n", f) >= 0);
  SHOW(fprintf(f, "number %d of %s\n", 42, "many"));
  SHOW(fputc('c', f));
  SHOW(putc('\n', f));
  SHOW(fwrite("0123456789", 2, 5, f));
  SHOW(fflush(f));
  SHOW(ftell(f));
  SHOW(fileno(f) > 2);
  SHOW(fseek(f, 0, SEEK_END));
  for (int i = 0; i < 100; ++i) fprintf(f, "\n%d %d", i, i * i);
  SHOW(fclose(f));
}

static void reading(void) {
  FILE* f = fopen("text", "r");
  char line[100];
  char* grown = NULL;
  size_t capacity = 0;
  SHOW(fgets(line, sizeof line, f) != NULL);
  int number = 0;
  SHOW(fscanf(f, "number %d of ", &number));
  SHOW(number);
  SHOW(getline(&grown, &capacity, f));
  SHOW(getdelim(&grown, &capacity, '2', f));
  int c = fgetc(f);
  SHOW(ungetc(c, f));
  SHOW(getc(f));
  SHOW(fread(line, 1, sizeof line, f));
  fpos_t place;
  SHOW(fgetpos(f, &place));
  SHOW(fseeko(f, -20, SEEK_CUR));
  SHOW(fsetpos(f, &place));
  SHOW(ftello(f));
  while (fgets(line, sizeof line, f) != NULL) {
  }
  SHOW(feof(f) != 0);
  SHOW(getline(&grown, &capacity, f));
  rewind(f);
  SHOW(fread(line, 10, 2, f));
  SHOW(fclose(f));
  free(grown);
}

static void opening(void) {
  FILE* temporary = tmpfile();
  SHOW(fwrite("temporary", 1, 9, temporary));
  SHOW(fclose(temporary));
  int fd = open("by_fd", O_CREAT | O_RDWR, 0644);
  FILE* f = fdopen(fd, "w+");
  setlinebuf(f);
  SHOW(fputs("line\n", f) >= 0);
  f = freopen("reopened", "w", f);
  SHOW(fputs("other\n", f) >= 0);
  SHOW(fclose(f));
  SHOW(fopen("no/such/file", "r") != NULL);
  FILE* full = fopen("/dev/full", "w");
  setbuf(full, NULL);
  SHOW(fputs("text", full));
  SHOW(fclose(full));
  FILE* child = popen("cat text", "r");
  char line[100];
  int lines = 0;
  while (fgets(line, sizeof line, child) != NULL) ++lines;
  SHOW(lines);
  SHOW(pclose(child));
}

static void wide(void) {
  FILE* f = fopen("wide", "w+");
  wchar_t line[100];
  SHOW(fputws(L"wide line\n", f) >= 0);
  SHOW(fputwc(L'w', f));
  SHOW(fflush(f));
  rewind(f);
  SHOW(fgetws(line, 100, f) != NULL);
  SHOW(fgetwc(f));
  SHOW(fgetwc(f) == WEOF);
  SHOW(fclose(f));
}

int main(void) {
  setlocale(LC_ALL, "");
  writing();
  reading();
  opening();
  wide();
  SHOW(getchar());
  puts("end");
  return 0;
}
