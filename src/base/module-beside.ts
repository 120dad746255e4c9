import { extname } from 'node:path';

/**
 * The module of that name beside the one that asks, with the same extension: `.ts` in a checkout, `.js` in the package. For modules that are
 * started as threads or programs: imports are rewritten by the build.
 * @example new Worker(moduleBeside('./worker', import.meta.url))
 */
export const moduleBeside = (name: string, self: string): URL => new URL(`${name}${extname(self)}`, self);
