import { expect, test } from 'vitest';
import { silent, turn, type Fields } from '../../../base/index.ts';
import type { EventNote } from '../../../kube/objects/events.ts';
import { EventOutbox } from './event-outbox.ts';
import { aRequest } from '../testing/builders.ts';

const note = (message: string): EventNote => ({ type: 'Normal', reason: 'PhaseTransition', message });

/** An outbox whose Events are written when the test says so. */
function anOutbox(limits: { readonly inFlight: number; readonly most: number }) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  let dropped = 0;
  const lines: (Fields & { readonly level: string; readonly message: string })[] = [];
  const write = (level: string) => (message: string, fields?: Fields) => void lines.push({ level, message, ...fields });
  const outbox = new EventOutbox({
    events: {
      record: (_, { message }) => {
        begun.push(message);
        return new Promise((resolve) => ends.push(resolve));
      },
    },
    log: { ...silent, warn: write('warn') },
    dropped: () => void dropped++,
    ...limits,
  });
  return { outbox, begun, endOne: () => ends.shift()?.(), dropped: () => dropped, lines };
}

test('few are written at a time, in the order in which they came', async () => {
  const { outbox, begun, endOne } = anOutbox({ inFlight: 2, most: 10 });
  const { signal } = new AbortController();
  outbox.add(aRequest(), [note('a'), note('b'), note('c')], signal);
  outbox.add(aRequest(), [note('d')], signal);
  expect(begun).toEqual(['a', 'b']);
  endOne();
  await turn();
  expect(begun).toEqual(['a', 'b', 'c']);
  endOne();
  endOne();
  await turn();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('Normal Events beyond the limit are left out, counted and logged, once for a burst', async () => {
  const { outbox, begun, endOne, dropped, lines } = anOutbox({ inFlight: 1, most: 2 });
  const { signal } = new AbortController();
  for (const message of ['a', 'b', 'c', 'd', 'e']) outbox.add(aRequest(), [note(message)], signal);
  expect(dropped()).toBe(2);
  expect(lines.map(({ message }) => message)).toEqual(['Kubernetes Events are left out: too many wait to be written']);
  for (let i = 0; i < 3; i++) {
    endOne();
    await turn();
  }
  expect(begun).toEqual(['a', 'b', 'c']);
  expect(lines.at(-1)).toMatchObject({ level: 'warn', message: 'Kubernetes Events were left out', count: 2 });
});

test('a Warning finds room where a Normal Event does not', () => {
  const { outbox, dropped } = anOutbox({ inFlight: 1, most: 2 });
  const { signal } = new AbortController();
  const warning: EventNote = { type: 'Warning', reason: 'RemediationFailed', message: 'it failed' };
  for (const one of [note('a'), note('b'), note('c'), warning, warning]) outbox.add(aRequest(), [one], signal);
  expect(dropped()).toBe(0);
  outbox.add(aRequest(), [note('d'), warning], signal);
  expect(dropped()).toBe(2);
});

test('when the time is over nothing more is written, and the next time begins with its own news', async () => {
  const { outbox, begun, endOne } = anOutbox({ inFlight: 1, most: 10 });
  const first = new AbortController();
  outbox.add(aRequest(), [note('a'), note('b'), note('c')], first.signal);
  first.abort(new Error('over'));
  endOne();
  await turn();
  expect(begun).toEqual(['a']);
  outbox.add(aRequest(), [note('d')], new AbortController().signal);
  await turn();
  expect(begun).toEqual(['a', 'd']);
});
