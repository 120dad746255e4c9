/** Whether it is the operating system's error of that name, such as ENOENT. */
export const hasErrno = (error: unknown, name: string): boolean => error instanceof Error && 'code' in error && error.code === name;
