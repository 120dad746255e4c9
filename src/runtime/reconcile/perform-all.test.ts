import { describe, expect, test } from 'vitest';
import type { Resource } from '../../api/resource.ts';
import { PlatformError, silent } from '../../base/index.ts';
import { anObject, fakeClient, refusal, type FakeCall } from '../../testkit/fake-client.ts';
import type { Effect } from './controller.ts';
import { StaleView, type Performer } from './effects.ts';
import { performAll } from './perform-all.ts';

const PART: Resource = { group: 'test.sickbay.dev', version: 'v1', kind: 'Part', plural: 'parts', namespaced: true };
const subject = anObject('Thing');

const status = (name: string): Effect => ({
  kind: 'PatchStatus',
  resource: PART,
  key: { namespace: 'default', name },
  resourceVersion: '7',
  status: {},
});
const create = (name: string): Effect => ({
  kind: 'Create',
  resource: PART,
  object: { apiVersion: 'test.sickbay.dev/v1', kind: 'Part', metadata: { name, namespace: 'default' } },
});
const event: Effect = { kind: 'Event', type: 'Normal', reason: 'Moved', message: 'it moved' };
const call: Effect = { kind: 'Call', run: 'ring', key: 'a', input: undefined };

/** Performs with calls that are answered when told to. */
function performing(effects: readonly Effect[], options: { readonly split?: boolean; readonly answer?: (call: FakeCall) => unknown } = {}) {
  const said: string[] = [];
  const open: (() => void)[] = [];
  const { client } = fakeClient((made) => {
    said.push(`${made.verb} ${made.target.split('/').at(-1)}`);
    return new Promise<unknown>((resolve, reject) => {
      open.push(() => {
        try {
          resolve(options.answer?.(made) ?? anObject('Part'));
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  });
  const by: Performer = {
    client,
    events: { record: async () => void said.push('event') },
    calls: { ring: async () => void said.push('call') },
    log: silent,
    signal: new AbortController().signal,
    mayAct: () => true,
  };
  const ended = performAll({ effects, ...(options.split !== false && { isSplitByName: true }) }, subject, by).then(
    () => 'done' as const,
    (error: unknown) => error,
  );
  const answerAll = async (): Promise<void> => {
    for (const answer of open.splice(0)) answer();
    for (let i = 0; i < 20; i++) await Promise.resolve();
  };
  return { said, ended, answerAll, waiting: () => open.length };
}

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `p${i}`);

describe('effects of a decision', () => {
  test('come one after the other where nothing else is said', async () => {
    const { said, answerAll, ended } = performing([status('a'), status('b')], { split: false });
    expect(said).toEqual(['patchStatus a']);
    await answerAll();
    expect(said).toEqual(['patchStatus a', 'patchStatus b']);
    await answerAll();
    expect(await ended).toBe('done');
  });

  test('split by name: different names at the same time, one name in order, and what has no name last', async () => {
    const { said, answerAll, ended } = performing([event, status('a'), create('a'), call, status('b')]);
    expect(said).toEqual(['patchStatus a', 'patchStatus b']);
    await answerAll();
    expect(said.slice(2)).toEqual(['create a']);
    await answerAll();
    expect(said.slice(3)).toEqual(['event', 'call']);
    expect(await ended).toBe('done');
  });

  test('split by name: those of one series in order, whatever they change', async () => {
    const inSeries = (series: string, ...effects: readonly Effect[]): readonly Effect[] => effects.map((effect) => ({ ...effect, series }));
    const effects = [status('a'), ...inSeries('a', event), ...inSeries('new ones', create('b'), create('c'))];
    const { said, answerAll, ended } = performing([call, ...effects]);
    expect(said).toEqual(['patchStatus a', 'create b']);
    await answerAll();
    expect(said.slice(2).toSorted()).toEqual(['create c', 'event']);
    await answerAll();
    expect(said.slice(4)).toEqual(['call']);
    expect(await ended).toBe('done');
  });

  test('a refused effect of a series blocks the later ones of that series, and no others', async () => {
    const answer = ({ target }: FakeCall): unknown => {
      if (target.endsWith('/a')) throw refusal(403, '');
      return undefined;
    };
    const [mine, other] = [
      { ...event, series: 'a' },
      { ...call, series: 'b' },
    ];
    const { said, answerAll, ended } = performing([status('a'), mine, status('b'), other], { answer });
    await answerAll();
    expect(said).toEqual(['patchStatus a', 'patchStatus b', 'call']);
    expect(await ended).toMatchObject({ code: 'Forbidden' });
  });

  test('no more at a time than there are connections', async () => {
    const { said, answerAll, ended } = performing(names(100).map(status));
    expect(said).toHaveLength(32);
    for (let i = 0; i < 4; i++) await answerAll();
    expect(said).toHaveLength(100);
    expect(await ended).toBe('done');
  });

  test('none at all are done at once', async () => {
    expect(await performing([]).ended).toBe('done');
  });

  test('a stale effect blocks the later ones on the same name, and no other name', async () => {
    const answer = ({ target }: FakeCall): unknown => {
      if (target.endsWith('/p3')) throw refusal(409, 'Conflict');
      return undefined;
    };
    const { said, answerAll, ended } = performing([...names(50).map(status), create('p3'), event], { answer });
    for (let i = 0; i < 4; i++) await answerAll();
    expect(said).toHaveLength(50);
    expect(said).not.toContain('create p3');
    expect(await ended).toBeInstanceOf(StaleView);
  });

  test.each([400, 403, 404, 422, 500])(
    'one that is refused (%i) keeps no other name waiting, and is what the pass fails with',
    async (code) => {
      const answer = ({ target }: FakeCall): unknown => {
        if (target.endsWith('/p3')) throw refusal(code, '');
        return undefined;
      };
      const { said, answerAll, ended } = performing([...names(50).map(create), status('p5')], { answer });
      for (let i = 0; i < 4; i++) await answerAll();
      expect(said).toHaveLength(51);
      expect(await ended).toBeInstanceOf(PlatformError);
      expect(await ended).not.toBeInstanceOf(StaleView);
    },
  );

  test.each([401, 429, 503])('any other failure (%i) lets no more begin, and those under way are waited for', async (code) => {
    const answer = ({ target }: FakeCall): unknown => {
      if (target.endsWith('/p3')) throw refusal(409, 'Conflict');
      if (target.endsWith('/p5')) throw refusal(code, '');
      return undefined;
    };
    const { said, answerAll, ended, waiting } = performing(names(100).map(status), { answer });
    await answerAll();
    const begun = said.length;
    expect(begun).toBeLessThan(100);
    while (waiting() > 0) await answerAll();
    expect(said).toHaveLength(begun);
    const error = await ended;
    expect(error).toBeInstanceOf(PlatformError);
    expect(error).not.toBeInstanceOf(StaleView);
  });
});
