import { endOfString } from '../../base/index.ts';

/** Paths of fields that occur more than once in their object, in the order of the text. Only for valid JSON. */
export function repeatedFields(text: string): readonly string[] {
  const walk = new Walk();
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (sign !== '"') {
      walk.pass(sign);
      continue;
    }
    const end = endOfString(text, at);
    if (isName(text, end)) walk.name(JSON.parse(text.slice(at, end + 1)) as string);
    at = end;
  }
  return [...walk.repeated];
}

const isName = (text: string, end: number): boolean => /^\s*:/.test(text.slice(end + 1, end + 64));

interface Frame {
  /** Names so far; undefined in a list. */
  readonly seen: Set<string> | undefined;
  readonly path: string;
  /** The current name, or the index in the list. */
  at: string | number;
}

/** Tracks the path of the current value. */
class Walk {
  readonly repeated = new Set<string>();
  readonly #stack: Frame[] = [];

  pass(sign: string): void {
    const top = this.#stack.at(-1);
    if (sign === '{') this.#stack.push({ seen: new Set(), path: this.#path(), at: '' });
    else if (sign === '[') this.#stack.push({ seen: undefined, path: this.#path(), at: 0 });
    else if (sign === '}' || sign === ']') this.#stack.pop();
    else if (sign === ',' && typeof top?.at === 'number') top.at++;
  }

  name(name: string): void {
    const top = this.#stack.at(-1);
    if (!top?.seen) return;
    top.at = name;
    if (top.seen.has(name)) this.repeated.add(this.#path());
    top.seen.add(name);
  }

  #path(): string {
    const top = this.#stack.at(-1);
    if (!top) return '';
    if (typeof top.at === 'number') return `${top.path}[${top.at}]`;
    return top.path === '' ? top.at : `${top.path}.${top.at}`;
  }
}
