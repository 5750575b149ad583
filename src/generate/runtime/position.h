static _Thread_local fpos_t last_position;
