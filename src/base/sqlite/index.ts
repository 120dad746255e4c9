/**
 * What every database file of ours has in common: it is made whole or not at all, no other user may read it, and whatever is wrong with it is
 * said with its path and what to do. Apart from the rest of base, since few need SQLite.
 */
export * from './sqlite-errors.ts';
export * from './sqlite-file.ts';
