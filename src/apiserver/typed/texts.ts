import { parseTime, toTime } from '../../base/index.ts';
import type { Reading } from './scalars.ts';

/** A time, stored as whole seconds in UTC. */
export function readTime(text: string): Reading {
  const at = parseTime(text);
  return at === undefined ? unreadable(text, '2006-01-02T15:04:05Z07:00') : { value: toTime(at) };
}

const MICRO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})(Z|[+-]\d\d:\d\d)$/;

/** A time with exactly six decimal places. */
export function readMicroTime(text: string): Reading {
  const [, fraction] = MICRO.exec(text) ?? [];
  const at = fraction === undefined ? undefined : parseTime(text);
  return at === undefined ? unreadable(text, '2006-01-02T15:04:05.000000Z07:00') : { value: toTime(at).replace('Z', `${fraction}Z`) };
}

const unreadable = (text: string, layout: string): Reading => ({
  refused: `parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}: cannot parse`,
});

const ALPHABET = /^[A-Za-z0-9+/]*/;

/** Bytes in base64. Line ends are ignored, and removed. */
export function readBase64(text: string): Reading {
  const compact = text.replaceAll(/[\r\n]/g, '');
  const good = ALPHABET.exec(compact)![0];
  const rest = compact.slice(good.length);
  const isWhole =
    compact.length % 4 === 0 && (rest === '' || (rest === '=' && good.length % 4 === 3) || (rest === '==' && good.length % 4 === 2));
  if (!isWhole) return { refused: `illegal base64 data at input byte ${rest === '' ? good.length - (good.length % 4) : good.length}` };
  return { value: Buffer.from(compact, 'base64').toString('base64') };
}
