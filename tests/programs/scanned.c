// Reads an input by fscanf, as many numbers at a time as a line has, with lines read by fgets between:
// `scanned make` makes the input, `scanned` reads it.
#include <stdio.h>
#include <string.h>

enum { lines = 300 };

static int make(void) {
  FILE* file = fopen("input.txt", "w");
  if (file == NULL) return 1;
  fputs("# a table\n", file);
  for (int i = 0; i < lines; ++i) fprintf(file, "%d %d.5 name_%d\n", i, i * i, i);
  fputs("# a matrix\n", file);
  for (int i = 0; i < 12; ++i) fprintf(file, "%d.25 ", i);
  fputs("\nend\n", file);
  return fclose(file);
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "make") == 0) return make();
  FILE* file = fopen("input.txt", "r");
  if (file == NULL) return 1;
  char line[80], name[40];
  int number, failed = fgets(line, sizeof line, file) == NULL;
  double value, m[12];
  for (int i = 0; i < lines; ++i) failed |= fscanf(file, "%d %lf %39s\n", &number, &value, name) != 3;
  failed |= fgets(line, sizeof line, file) == NULL;
  failed |= fscanf(file, "%lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", &m[0], &m[1], &m[2], &m[3], &m[4],
                   &m[5], &m[6], &m[7], &m[8], &m[9], &m[10], &m[11]) != 12;
  failed |= fscanf(file, "%d", &number) != 0;  // a word follows
  failed |= fscanf(file, "%39s", name) != 1;
  failed |= fscanf(file, "%d", &number) != EOF;
  fclose(file);
  printf("%d %s %g\n", failed, name, m[11]);
  return failed;
}
