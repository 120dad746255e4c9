import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { AIAnalysis } from '../../../api/ai-analysis/ai-analysis.ts';
import { SignalProcessing } from '../../../api/signal-processing/signal-processing.ts';
import { WorkflowExecution } from '../../../api/workflow-execution/workflow-execution.ts';
import { MINUTE, toTime } from '../../../base/index.ts';
import type { ApiRequest } from '../../../kube/client/transport.ts';
import { Ward as ExecutionWard } from '../../execution/testing/ward.ts';
import type { Stage } from '../../testing/stage.ts';
import { OrchestratorFixture } from '../testing/orchestrator-fixture.ts';

const CONTROLLERS = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
/** Of the executions the orchestrator knows how their records are read: the status of one, and what the lock keeps of one that is gone. */
const SHARED = ['execution/history/index.ts'];

/** The files of another controller that one imports, in what is not for tests. */
function importsOf(from: string, to: string): readonly string[] {
  const files = readdirSync(join(CONTROLLERS, from), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.split('/').includes('testing'));
  return sources.flatMap((file) => {
    const path = join(CONTROLLERS, from, file);
    const named = [...readFileSync(path, 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) => resolve(dirname(path), target));
    return named.map((target) => relative(CONTROLLERS, target)).filter((target) => target.startsWith(`${to}/`));
  });
}

/** What a controller asks the server, as `VERB resource[/subresource]`, each once. */
function listen(stage: Stage): () => readonly string[] {
  const asked = new Set<string>();
  stage.intercept = ({ method, path }: ApiRequest) => {
    const [, resource = path, , subresource] = /\/namespaces\/[^/]+\/([a-z]+)(?:\/([^/]+)(?:\/([a-z]+))?)?$/.exec(path) ?? [];
    asked.add([method, subresource ? `${resource}/${subresource}` : resource].join(' '));
    return undefined;
  };
  return () => [...asked];
}

let stage: Stage | undefined;
afterEach(() => stage?.end());

/** Everything that an execution makes or looks at to do its work. */
const WORK = /\b(jobs|pods|pipelineruns|taskruns|serviceaccounts|secrets|configmaps|events)\b/;

describe('[WE-204] between the orchestrator and the executions', () => {
  test('no call passes: neither imports the other, but for how records are read', () => {
    expect(importsOf('execution', 'remediation')).toEqual([]);
    expect([...new Set(importsOf('remediation', 'execution'))]).toEqual(SHARED);
    expect(importsOf('remediation', 'target').length, 'imports are found at all').toBeGreaterThan(5);
  });

  test.each([
    ['Completed', { phase: 'Completed' }, 'Verifying'],
    ['Failed', { phase: 'Failed' }, 'Failed'],
    [
      'Skipped',
      { phase: 'Skipped', skipDetails: { reason: 'PreviousExecutionFailed', message: 'm', skippedAt: '2026-11-15T03:00:00Z' } },
      'Skipped',
    ],
  ])('the orchestrator follows the status alone: %s', async (_, status, leadsTo) => {
    const here = await OrchestratorFixture.open();
    stage = here.stage;
    const asked = listen(here.stage);
    await here.signal();
    await here.report(SignalProcessing, 'sp-rr', { phase: 'Completed' });
    await here.report(AIAnalysis, 'ai-rr', await here.plan());
    await here.report(WorkflowExecution, 'we-rr', { phase: 'Pending' });
    await here.report(WorkflowExecution, 'we-rr', { phase: 'Running', startTime: toTime(here.stage.clock.now()) });
    expect((await here.status()).overallPhase).toBe('Executing');
    await here.report(WorkflowExecution, 'we-rr', status);
    await here.stage.advance(5 * MINUTE);
    expect((await here.status()).overallPhase).toBe(leadsTo);
    expect(asked().filter((one) => WORK.test(one))).toEqual([]);
    // It creates the execution, and never says a word of its own about how that goes.
    expect(asked().filter((one) => !one.startsWith('GET') && /workflowexecutions|leases/.test(one))).toEqual(['POST workflowexecutions']);
  });

  test('an execution writes nothing but its own status and what its work takes', async () => {
    const here = await ExecutionWard.open();
    stage = here.stage;
    const asked = listen(here.stage);
    await here.remediate('one', 'shop/Deployment/checkout');
    await here.endOne('Failed');
    await here.stage.advance(5 * MINUTE);
    const writes = asked().filter((one) => !one.startsWith('GET'));
    expect(writes).toEqual(expect.arrayContaining(['PATCH workflowexecutions/status', 'POST leases', 'POST jobs']));
    expect(writes.filter((one) => !/ (workflowexecutions(\/status)?|leases|jobs|configmaps|serviceaccounts)$/.test(one))).toEqual([]);
  });
});
