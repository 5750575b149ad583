/* An access control list that says what the permission bits 0644 say: owner, group and others. */
static const unsigned char plain_access_list[28] = {2,   0,   0, 0, 1,   0,   6,   0,   255, 255,
                                                    255, 255, 4, 0, 4,   0,   255, 255, 255, 255,
                                                    32,  0,   4, 0, 255, 255, 255, 255};
