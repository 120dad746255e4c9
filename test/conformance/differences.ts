import { isObject } from '../../src/base/index.ts';

/** Where two values differ, and how: a line each. */
export function differences(real: unknown, ours: unknown, path = ''): readonly string[] {
  if (Array.isArray(real) && Array.isArray(ours) && real.length === ours.length)
    return real.flatMap((item, i) => differences(item, ours[i], `${path}[${i}]`));
  if (isObject(real) && isObject(ours)) {
    const names = new Set([...Object.keys(real), ...Object.keys(ours)]);
    return [...names].flatMap((name) => differences(real[name], ours[name], path === '' ? name : `${path}.${name}`));
  }
  return Object.is(real, ours) ? [] : [`${path}: real ${JSON.stringify(real)}, ours ${JSON.stringify(ours)}`];
}
