import { basename } from 'node:path';

/** The folders of this project that the image of the workflow library has, under /app. */
export const FOLDERS: readonly string[] = ['src/base', 'src/api', 'src/kube', 'workflows'];

/** The packages that it has. */
export const PACKAGES: readonly string[] = ['undici', 'typebox', 'yaml'];

/** Whoever it runs as. */
export const USER = 65_532;

/** Whether a file or folder belongs into it: tests, and what only tests use, do not. */
export const isShipped = (path: string): boolean => !path.endsWith('.test.ts') && basename(path) !== 'testing';
