import { errorOf, failureOf, StorageError } from '../base/sqlite/index.ts';

/** Reads a file; what is wrong with it is said with its path and what to do. */
export function reading<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw said(path, error);
  }
}

/** What is wrong with a file, with its path and what to do. */
export const said = (path: string, error: unknown): unknown =>
  error instanceof StorageError || isOfSystem(error) ? errorOf(failureOf({ doing: 'reading', path }, error)) : error;

/** Of SQLite or of the file system. */
const isOfSystem = (error: unknown): boolean => {
  const { errcode, syscall } = error as { readonly errcode?: unknown; readonly syscall?: unknown };
  return errcode !== undefined || syscall !== undefined;
};
