// What work in turns leaves to others.

/** What is left to others, for each millisecond of work. */
export const msForOthers = 2
