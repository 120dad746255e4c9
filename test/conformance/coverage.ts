/** What was compared: how often each verb, with each content type, had which outcome. */
export class Coverage {
  readonly #counts = new Map<string, Map<string, number>>();
  requests = 0;

  add(verb: string, type: string | undefined, outcome: string): void {
    const row = `${verb} ${(type ?? '-').replace('application/', '')}`;
    const counts = this.#counts.get(row) ?? new Map<string, number>();
    this.#counts.set(row, counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
    this.requests++;
  }

  /** A table in plain text: a row per verb and content type, with the outcomes and how often each was seen. */
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
