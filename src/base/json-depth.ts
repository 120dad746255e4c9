/** No body that is meant has so many levels, and code that walks values by calling itself bears several times as many. */
export const DEEPEST_JSON = 1_000;

/** Whether a text of JSON has more levels than that. Reads the text, so that nothing is built of what is too deep. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case BRACE:
      case BRACKET:
        if (++depth > DEEPEST_JSON) return true;
        break;
      case BRACE_END:
      case BRACKET_END:
        depth--;
        break;
    }
  }
  return false;
}

/** Whether a value has more levels. */
export function isDeeperThan(value: unknown, levels = DEEPEST_JSON): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const name in value) if (isDeeperThan((value as Readonly<Record<string, unknown>>)[name], levels - 1)) return true;
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const BRACE_END = 0x7d;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;

/** The closing quote of the string that starts at `start` in a JSON text. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at > 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
