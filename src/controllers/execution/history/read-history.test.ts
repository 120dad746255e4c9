import { expect, test } from 'vitest';
import type { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import type { Listed, Reader } from '../../../runtime/reconcile/controller.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { runName } from '../names.ts';
import { anExecution, listed, NOW, TARGET, UNREADABLE } from '../testing/builders.ts';
import { aFailedRun, aSuccess } from '../testing/finished-executions.ts';
import { readHistory } from './read-history.ts';

const object = anExecution();
const elsewhere = anExecution({ name: 'elsewhere', uid: 'elsewhere', spec: { clusterID: 'another' } });

async function look(cached: Listed<WorkflowExecution>, served: Listed<WorkflowExecution>, { isNext = false, asking = object } = {}) {
  const asked: unknown[] = [];
  const reader = {
    list: (_: unknown, by: unknown) => (asked.push(by), cached),
    fetchList: (_: unknown, where: unknown) => Promise.resolve((asked.push(where), served)),
  } as unknown as Reader;
  const history = await readHistory({ object: asking, reader, now: NOW, settings: DEFAULT_SETTINGS }, isNext);
  return { asked, history: history.kind === 'value' ? history.value.map(({ metadata }) => metadata.name) : history };
}

const byTarget = { index: 'lock', value: runName(object.spec) };
const ofServer = { namespace: 'sickbay-system', fieldSelector: `spec.targetResource=${TARGET}` };

test.each<{
  name: string;
  cached: Listed<WorkflowExecution>;
  served?: Listed<WorkflowExecution>;
  isNext?: boolean;
  want: unknown;
  isAsked: boolean;
}>([
  { name: 'to wait, a cached read is enough', cached: listed(object, aSuccess(), elsewhere), want: ['we-past'], isAsked: false },
  {
    name: 'to start, the server’s is needed',
    cached: listed(),
    served: listed(object, aSuccess({ name: 'unheard' }), elsewhere),
    isNext: true,
    want: ['unheard'],
    isAsked: true,
  },
  { name: 'to be skipped, the server’s is needed', cached: listed(aFailedRun()), served: listed(), want: [], isAsked: true },
  { name: 'what the cache cannot answer is unknown', cached: UNREADABLE, served: listed(), isNext: true, want: UNREADABLE, isAsked: false },
  { name: 'what the server cannot answer is unknown', cached: listed(), served: UNREADABLE, isNext: true, want: UNREADABLE, isAsked: true },
])('$name', async ({ cached, served = UNREADABLE, isNext = false, want, isAsked }) => {
  const { asked, history } = await look(cached, served, { isNext });
  expect(history).toEqual(want);
  expect(asked).toEqual([byTarget, ...(isAsked ? [ofServer] : [])]);
});
