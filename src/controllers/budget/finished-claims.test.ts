import { describe, expect, test } from 'vitest';
import type { Claim } from './claim.ts';
import { findOver, type OverJudge } from './finished-claims.ts';
import { aClaim, aWaiter, NOW, SETTINGS } from './testing/builders.ts';

/** Knows what the first letters of the names mean: o is over, r runs, u and v are for the server, which says that u is over. */
function judgeByName(asked: string[]): OverJudge {
  const letter = ({ uid }: Claim): string => uid.charAt('uid-'.length);
  return {
    look: (claim) => (letter(claim) === 'o' ? 'over' : letter(claim) === 'r' ? 'running' : 'unsure'),
    ask: (claim) => {
      asked.push(claim.uid);
      return Promise.resolve(letter(claim) === 'u');
    },
  };
}

async function over(names: readonly string[], change: { asking?: string; kind?: string; paused?: string } = {}) {
  const asked: string[] = [];
  const claims = names.map((name) => ({ ...aClaim(name), kind: change.kind ?? 'WorkflowExecution' }));
  const settings = { ...SETTINGS, ...(change.paused === undefined ? {} : { paused: change.paused }) };
  const question = { claims, waiting: [], asking: aWaiter(change.asking ?? 'x@shop'), settings, now: NOW };
  const found = await findOver(question, new Map([['WorkflowExecution', judgeByName(asked)]]));
  return { over: [...found], asked };
}

describe('what is over', () => {
  test('is told from what is at hand', async () => expect(await over(['o1', 'r1'])).toEqual({ over: ['uid-o1'], asked: [] }));

  test('is not asked of the server while there is room', async () => expect(await over(['u1', 'v1'])).toEqual({ over: [], asked: [] }));

  test('is read from the server before a waiter is blocked by it', async () =>
    expect(await over(['u1', 'v1', 'o1', 'r1'])).toEqual({ over: ['uid-o1', 'uid-u1'], asked: ['uid-u1', 'uid-v1'] }));

  test('is asked of the server to tell what still runs', async () =>
    expect((await over(['u1'], { paused: 'incident' })).over).toEqual(['uid-u1']));

  test('is never oneself', async () => expect(await over(['o1@shop', 'r1', 'r2'], { asking: 'o1@shop' })).toEqual({ over: [], asked: [] }));

  test('is judged by its own kind: a claim of a kind without a judge counts as running', async () =>
    expect(await over(['o1', 'u1', 'u2', 'u3'], { kind: 'PowerCycleRemediation' })).toEqual({ over: [], asked: [] }));

  test('makes no difference when it is the hour that is full', async () => {
    const asked: string[] = [];
    const claims = [...['a', 'b', 'c', 'd', 'e'].map((name) => aClaim(name, 1, NOW)), aClaim('u1')];
    const question = { claims, waiting: [], asking: aWaiter('x'), settings: SETTINGS, now: NOW };
    await findOver(question, new Map([['WorkflowExecution', judgeByName(asked)]]));
    expect(asked).toEqual([]);
  });
});
