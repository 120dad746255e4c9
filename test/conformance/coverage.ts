import type { WireRequest } from './wire.ts';

/** A verb with the form of what is sent or asked for. */
export interface Covered {
  readonly verb: string;
  /** As in `formOf`. */
  readonly form: string;
}

/** The form of what a request sends, or, where it sends nothing, of what it asks for; `-` where it does not say. */
export function formOf({ body, type, accept }: Pick<WireRequest, 'body' | 'type' | 'accept'>): string {
  const form = body === undefined ? accept : type;
  return (form ?? '-').replaceAll(/application\/|;[gv]=[^;,]*/g, '');
}

/** What was compared: how often each verb, in each form, had which outcome. */
export class Coverage {
  readonly #counts = new Map<string, Map<string, number>>();
  requests = 0;

  /** An outcome is a code and, for refusals, its reason. */
  add(verb: string, form: string, outcome: string): void {
    const row = `${verb} ${form}`;
    const counts = this.#counts.get(row) ?? new Map<string, number>();
    this.#counts.set(row, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
    this.requests++;
  }

  /** Those of a list that were never seen to succeed, or never to be refused. */
  lacking(wanted: readonly Covered[]): readonly string[] {
    return wanted.flatMap(({ verb, form }) => {
      const row = `${verb} ${form}`;
      const codes = [...(this.#counts.get(row)?.keys() ?? [])].map((outcome) => Number.parseInt(outcome, 10));
      return [
        ...(codes.some((code) => code < 300) ? [] : [`${row}: no success`]),
        ...(codes.some((code) => code >= 300) ? [] : [`${row}: no refusal`]),
      ];
    });
  }

  /** A table in plain text: a row per verb and form, with the outcomes and how often each was seen. */
  text(): string {
    const rows = [...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const width = Math.max(...rows.map(([row]) => row.length), 0);
    const outcomes = (counts: ReadonlyMap<string, number>): string =>
      [...counts]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([outcome, count]) => `${outcome} ×${count}`)
        .join(', ');
    return rows.map(([row, counts]) => `${row.padEnd(width)}  ${outcomes(counts)}`).join('\n');
  }
}
