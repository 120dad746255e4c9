import { describe, expect, test } from 'vitest';
import { aDeployment } from '../../analyst/testing/a-deployment.ts';
import { aWorkflow } from '../../analyst/testing/a-workflow.ts';
import type { AIAnalysis } from '../../api/ai-analysis/ai-analysis.ts';
import { Deployment } from '../../api/builtin/index.ts';
import type { KubeObject } from '../../api/meta.ts';
import type { Resource } from '../../api/resource.ts';
import { after, MINUTE, SECOND, toTime } from '../../base/index.ts';
import type { Listed, Read, Reader } from '../../runtime/reconcile/controller.ts';
import { observe } from './observe.ts';
import { anAnalysis, NOW, type Options } from './testing/an-analysis.ts';

const KEY = { namespace: 'sickbay-system', name: 'ai-rr-1' };
const CATALOGUE = { kind: 'value', value: [aWorkflow('w')] } as const;

/** Shows the analysis, a catalogue and a Deployment without pods; `asked` is what the server was asked. */
function readerOf(object: AIAnalysis | undefined, catalogue: Listed<KubeObject> = CATALOGUE) {
  const asked: string[] = [];
  const answer = <T>(resource: Resource, value: unknown): Promise<T> => {
    asked.push(resource.kind);
    return Promise.resolve({ kind: 'value', value } as T);
  };
  const reader: Reader = {
    get: <T extends KubeObject>() => (object ? { kind: 'value', value: object } : { kind: 'absent' }) as Read<T>,
    list: <T extends KubeObject>() => catalogue as Listed<T>,
    fetch: (resource) => answer(resource, aDeployment()),
    fetchList: (resource) => answer(resource, []),
  };
  return { reader, asked };
}

describe('observe', () => {
  test('gone: nothing to see', async () => expect(await observe(KEY, readerOf(undefined).reader, NOW)).toBeUndefined());

  test('an investigation sees the target on the server and the catalogue in the cache', async () => {
    const { reader, asked } = readerOf(anAnalysis({ status: { phase: 'Investigating' } }));
    const seen = await observe(KEY, reader, NOW);
    expect(seen?.findings).toMatchObject({ evidence: { kind: 'Deployment', revisions: [] }, catalogue: CATALOGUE });
    expect(asked).toEqual([Deployment.kind, 'ReplicaSet', 'Pod', 'Event']);
  });

  test('a catalogue that cannot be read is not an empty one', async () => {
    const unreadable = { kind: 'unreadable', reason: 'forbidden' } as const;
    const seen = await observe(KEY, readerOf(anAnalysis({ status: {} }), unreadable).reader, NOW);
    expect(seen?.findings).toMatchObject({ catalogue: unreadable });
  });

  const session = { generation: 1, backoffUntil: toTime(after(NOW, 30 * SECOND)) };
  const cases: readonly { name: string; options: Options; at?: typeof NOW; reads: boolean }[] = [
    { name: 'new', options: {}, reads: false },
    { name: 'waiting', options: { status: { phase: 'Pending' } }, reads: false },
    { name: 'done investigating', options: { status: { phase: 'Analyzing' } }, reads: false },
    { name: 'done', options: { status: { phase: 'Completed' } }, reads: false },
    { name: 'failed', options: { status: { phase: 'Failed' } }, reads: false },
    { name: 'put off', options: { status: { investigationSession: session } }, at: after(NOW, 29 * SECOND), reads: false },
    { name: 'put off until now', options: { status: { investigationSession: session } }, at: after(NOW, 30 * SECOND), reads: true },
    { name: 'too late', options: { status: {} }, at: after(NOW, 10 * MINUTE), reads: false },
    { name: 'without a limit', options: { status: {}, timesOutAt: undefined }, at: after(NOW, 10 * MINUTE), reads: true },
  ];
  test.each(cases)('$name: reads $reads', async ({ options, at = NOW, reads }) => {
    const { reader, asked } = readerOf(anAnalysis(options));
    const seen = await observe(KEY, reader, at);
    expect([seen?.findings.kind !== 'not-read', asked.length > 0]).toEqual([reads, reads]);
  });
});
