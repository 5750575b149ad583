// Asks before doing I/O: a line "ask" to a Unix socket, whose other end answers with a byte when it is our
// turn; "done" when the I/O is over. Without a socket everything is granted. bench/schedule_real is the other
// end.
#ifndef REFRAIN_EXAMPLES_GATE_H
#define REFRAIN_EXAMPLES_GATE_H
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "options.h"

static inline void tell_gate(int gate, const char* line) {
  if (send(gate, line, strlen(line), 0) != (ssize_t)strlen(line)) refuse("gate", "lost", line);
}

// Returns -1 where there is no gate.
static inline int open_gate(const char* program, const char* path, const char* name) {
  if (path[0] == '\0') return -1;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) refuse(program, "too long for a socket", path);
  strcpy(address.sun_path, path);
  int gate = socket(AF_UNIX, SOCK_STREAM, 0);
  if (gate < 0 || connect(gate, (struct sockaddr*)&address, sizeof address) != 0) {
    refuse(program, strerror(errno), path);
  }
  tell_gate(gate, name);
  tell_gate(gate, "\n");
  return gate;
}

static inline void enter_gate(int gate) {
  char granted = 0;
  if (gate < 0) return;
  tell_gate(gate, "ask\n");
  if (recv(gate, &granted, 1, 0) != 1) refuse("gate", "lost", "no answer");
}

static inline void leave_gate(int gate) {
  if (gate >= 0) tell_gate(gate, "done\n");
}

#endif
