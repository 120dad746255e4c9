import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../api/meta.ts';
import { LABELS } from '../../../api/well-known.ts';
import type { Read } from '../../../kube/client/read.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { decide } from '../decide.ts';
import { aRun } from '../engines/tekton/testing/task-runs.ts';
import type { ExecutionStatus } from '../status/execution-status.ts';
import { aWorkflow } from '../testing/a-workflow.ts';
import { ABSENT, aJob, aLock, anExecution, effectText, found, listed, NOW, seenWith } from '../testing/builders.ts';

const RUN_ENGINES = ['job', 'tekton', 'ansible'] as const;
type Name = (typeof RUN_ENGINES)[number];

const AWX = { apiURL: 'https://awx.example.com', organizationID: 1, tokenSecretRef: { name: 'awx', namespace: 'ops', key: 'token' } };

/** An execution on the engine, with an entry in the catalogue that says the same. */
function planned(engine: Name) {
  const ref = anExecution().spec.workflowRef;
  const engineConfig = engine === 'ansible' ? { jobTemplateName: 'heal' } : engine === 'tekton' ? {} : ref.engineConfig;
  const workflowRef = { ...ref, executionEngine: engine, ...(engineConfig && { engineConfig }) };
  const entry = aWorkflow();
  const { execution } = entry.spec;
  const catalogue = { ...entry, spec: { ...entry.spec, execution: { ...execution, engine, ...(engineConfig && { engineConfig }) } } };
  return {
    object: anExecution({ spec: { workflowRef }, status: { phase: 'Pending' } }),
    catalogue: listed(catalogue),
    installed: found(true as const),
    settings: { ...DEFAULT_SETTINGS, ansible: AWX },
  };
}

const anothers = <T extends KubeObject>(run: T): T => ({
  ...run,
  metadata: { ...run.metadata, labels: { ...run.metadata.labels, [LABELS.workflowExecutionUid]: 'wfe-2' } },
});

/** What another execution has on the target; AWX has nothing in the cluster but the lock. */
const AT_WORK: Readonly<Record<Name, Read<KubeObject>>> = {
  job: found(aJob({ of: 'wfe-2' })),
  tekton: found(anothers(aRun(['Unknown', 'Running']))),
  ansible: ABSENT,
};
const holder = found(anExecution({ uid: 'wfe-2', name: 'we-2', status: { phase: 'Running' } }));

describe('one lock for all engines', () => {
  const pairs = RUN_ENGINES.flatMap((asks) => RUN_ENGINES.map((works) => ({ asks, works })));
  test.each(pairs)('[WE-155] $works is at work on the target: $asks starts nothing', ({ asks, works }) => {
    const { status, effects } = decide(seenWith({ ...planned(asks), lock: found(aLock('wfe-2')), run: AT_WORK[works], holder }), NOW);
    expect(status).toMatchObject({ phase: 'Skipped', skipDetails: { reason: 'ResourceBusy' } });
    expect(effects).toEqual([]);
  });
});

describe('what is created', () => {
  const CREATED: Readonly<Record<Name, readonly string[]>> = { job: ['Create Job'], tekton: ['Create PipelineRun'], ansible: [] };
  test.each(RUN_ENGINES)('[WE-074] by %s, and by no other engine', (engine) => {
    const { status, effects } = decide(seenWith(planned(engine)), NOW);
    expect((status as ExecutionStatus).phase).toBe('Pending');
    expect(effects.map(effectText).filter((text) => text.startsWith('Create'))).toEqual(CREATED[engine]);
  });
});
