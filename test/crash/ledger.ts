import type { Random } from '../../src/base/index.ts';

/** What a writer does next to one object, and what the object holds when that has happened: a value, or nothing. */
export type Deed =
  | { readonly kind: 'create' | 'change'; readonly name: string; readonly value: string }
  | { readonly kind: 'remove'; readonly name: string; readonly value: undefined }
  /** Must be refused: it builds on a version that is long gone, or takes a name that is taken. */
  | { readonly kind: 'overwrite' | 'retake'; readonly name: string; readonly value: string };

interface Entry {
  /** What the last acknowledged write left. */
  value: string | undefined;
  /** What an unanswered write would leave. */
  unanswered: { readonly value: string | undefined } | undefined;
}

const isRefused = ({ kind }: Deed): boolean => kind === 'overwrite' || kind === 'retake';

/** What clients know of a server's objects: what it acknowledged, and what it may or may not have done. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  readonly #random: Random;
  #written = 0;
  /** Every version that was acknowledged in this life of the server. */
  readonly versions = new Set<number>();
  acknowledged = 0;
  refused = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A deed that makes sense for an object as it is known. Each object has one writer, so that it is known. */
  next(name: string): Deed {
    const value = `value-${++this.#written}`;
    if (this.#entry(name).value === undefined) return { kind: 'create', name, value };
    const chance = this.#random.next();
    if (chance < 0.1) return { kind: 'remove', name, value: undefined };
    if (chance < 0.15) return { kind: 'overwrite', name, value: `refused-${value}` };
    return chance < 0.2 ? { kind: 'retake', name, value: `refused-${value}` } : { kind: 'change', name, value };
  }

  asked(deed: Deed): void {
    if (!isRefused(deed)) this.#entry(deed.name).unanswered = { value: deed.value };
  }

  /** Takes an answer in; says what is wrong with it, if anything is. */
  answered(deed: Deed, code: number, version: number | undefined): string | undefined {
    const entry = this.#entry(deed.name);
    if (isRefused(deed)) {
      this.refused++;
      return code === 409 ? undefined : `${deed.kind} of ${deed.name} was answered with ${code}, not 409`;
    }
    if (code >= 300) return `${deed.kind} of ${deed.name} was answered with ${code}`;
    this.acknowledged++;
    entry.value = deed.value;
    entry.unanswered = undefined;
    if (version !== undefined) this.versions.add(version);
    return undefined;
  }

  /** Compares with what a server holds after it came back; from then on that is what is known. */
  reconcile(found: ReadonlyMap<string, string>): readonly string[] {
    const faults: string[] = [];
    for (const [name, entry] of this.#entries) {
      const value = found.get(name);
      const isKnown = value === entry.value || (entry.unanswered && value === entry.unanswered.value);
      if (!isKnown) faults.push(`${name} is ${value ?? 'absent'}, but ${entry.value ?? 'its absence'} was acknowledged`);
      entry.value = value;
      entry.unanswered = undefined;
    }
    for (const name of found.keys()) if (!this.#entries.has(name)) faults.push(`${name} exists, but was never written`);
    this.versions.clear();
    return faults;
  }

  #entry(name: string): Entry {
    const known = this.#entries.get(name) ?? { value: undefined, unanswered: undefined };
    this.#entries.set(name, known);
    return known;
  }
}
