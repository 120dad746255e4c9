import { basename } from 'node:path';

/** Folders of this project that the image of the workflow library contains, under /app. */
export const FOLDERS: readonly string[] = ['src/base', 'src/api', 'src/kube', 'workflows'];

/** npm packages that the image contains. */
export const PACKAGES: readonly string[] = ['undici', 'typebox', 'yaml'];

/** Whether the image contains a file or folder: it has no tests and nothing that only tests use. */
export const isShipped = (path: string): boolean => !path.endsWith('.test.ts') && basename(path) !== 'testing';
