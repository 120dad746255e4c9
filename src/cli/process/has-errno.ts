/** Is it the operating system's no of that name, such as ENOENT? */
export const hasErrno = (error: unknown, name: string): boolean => error instanceof Error && 'code' in error && error.code === name;
