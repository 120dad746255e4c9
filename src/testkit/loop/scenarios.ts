import { Deployment, Job, Lease } from '../../api/builtin/index.ts';
import { isTerminal, NotificationRequest, RemediationRequest, type Phases } from '../../api/index.ts';
import type { KubeObject } from '../../api/meta.ts';
import { LABELS } from '../../api/well-known.ts';
import { after, MINUTE, PlatformError, SECOND } from '../../base/index.ts';
import { BAD, GOOD, isRolledOut, openShop, releaseOf, rollOut, SHOP, webhook, type Release } from '../../cli/demo/story.ts';
import { SIMULATION_START, type Simulation } from '../../simulation/index.ts';
import { rollbackDeployment } from '../../../workflows/rollback-deployment/run.ts';
import type { Workflow } from '../../../workflows/workflow.ts';
import { legalMoves, phaseOf } from '../legal-moves.ts';
import type { Scenario } from '../scenario.ts';
import { crashLoopFiring, playAlertmanager } from './alertmanager.ts';
import { bootSickbay, type Gateways } from './boot.ts';
import { Ledger } from './ledger.ts';
import { playApprover, takeBackBelow } from './approve-undo.ts';
import { LOOP_SETTINGS, PIPELINE_KINDS, playCluster, prepareCluster } from './world.ts';
import { playWorkflows } from './workflows.ts';

/** What differs from one story of the loop to the next. */
interface LoopStory {
  readonly name: string;
  readonly environment?: string;
  /** Rolled out one after the other. */
  readonly releases: readonly Release[];
  readonly workflow?: Workflow;
  /** What else there is before anything begins. */
  readonly setUp?: (simulation: Simulation) => Promise<void>;
  /** What Alertmanager has to say; the crash loop when absent. */
  readonly firing?: (simulation: Simulation) => object | undefined;
  /** How remediations end, as `phase outcome`: the first, and what later ones may come to. Where a clock was set, others are possible too. */
  readonly ends: readonly [string, ...string[]];
  /** Workflows that run, at most; exactly that many unless a clock was set. */
  readonly runs: number;
  /** The release that must be there in the end. */
  readonly release: string;
}

const NOTHING_TO_DO = 'Completed NoActionRequired';

/** An operator silences the alert then; until that moment it is sent repeatedly. */
const SILENCED_AT = after(SIMULATION_START, 10 * MINUTE);

function loopScenario(story: LoopStory): Scenario {
  const gateways: Gateways = new Map();
  const ledgers = new WeakMap<Simulation, Ledger>();
  const ledgerOf = (simulation: Simulation): Ledger => {
    const ledger = ledgers.get(simulation);
    if (!ledger) throw new Error('the scenario was not prepared');
    return ledger;
  };
  return {
    name: story.name,
    replicas: ['r1', 'r2'],
    // Two webhooks at once derive the same name; the second create finds it taken.
    raced: [RemediationRequest.plural],
    boot: bootSickbay(LOOP_SETTINGS, gateways),
    async prepare(simulation) {
      gateways.clear();
      await prepareCluster(simulation);
      const ledger = new Ledger(simulation);
      ledgers.set(simulation, ledger);
      for (const invariant of [...ledger.invariants(), legalMoves(simulation)]) simulation.require(invariant);
      await playCluster(simulation, playWorkflows(simulation, ledger, story.workflow ?? rollbackDeployment));
      await story.setUp?.(simulation);
      await playShop(simulation, story);
      const fires = (): object | undefined => (simulation.time.now() < SILENCED_AT ? firingOf(story)(simulation) : undefined);
      playAlertmanager(simulation, gateways, fires);
    },
    settled: (simulation) => isSettled(simulation, story),
    verdict: (simulation) => verdictOf(simulation, story, ledgerOf(simulation)),
    endState: (simulation) => ({
      // A webhook that a process had in hand while it stood still may open one that finds nothing to do.
      requests: endsOf(simulation).filter((end) => end !== NOTHING_TO_DO),
      runs: ledgerOf(simulation).ended,
      release: releaseOf(shopOf(simulation)),
    }),
    faultsForMs: 2 * MINUTE,
    deadlineMs: 6 * 60 * MINUTE,
  };
}

/** The first release is there from the start; the others follow when the one before has come up. */
async function playShop(simulation: Simulation, { releases: [first = GOOD, ...others], environment }: LoopStory): Promise<void> {
  await openShop(simulation.admin, SHOP, { release: first, ...(environment === undefined ? {} : { environment }) });
  others.forEach((release, i) =>
    simulation.later((i + 1) * 10 * SECOND, 'person', async () => void (await rollOut(simulation.admin, SHOP, release))),
  );
}

function shopOf(simulation: Simulation): Deployment {
  const shop = simulation.mirror.get(Deployment, SHOP);
  if (!shop) throw new Error('the shop is gone');
  return shop;
}

/** All remediations have finished, all notifications were sent, and no object is orphaned. */
function isSettled(simulation: Simulation, story: LoopStory): boolean {
  const { mirror } = simulation;
  const requests = mirror.all(RemediationRequest);
  if (requests.length === 0 && !wasClockSet(simulation)) return false;
  if (mirror.all(Job).length > 0 || mirror.all(Lease).some(isLock)) return false;
  if (!PIPELINE_KINDS.every((kind) => mirror.all<KubeObject>(kind).every((object) => hasEnded(object, kind.phases)))) return false;
  if (mirror.all(NotificationRequest).length < requests.length) return false;
  return isQuiet(simulation, story);
}

/** Whose clock is minutes behind takes every alert for one of the future, and refuses it. */
const wasClockSet = ({ injected }: Simulation): boolean => injected.some(({ fault }) => fault.kind === 'ClockJump');

const isLock = ({ metadata }: Lease): boolean => metadata.labels?.[LABELS.workflowExecutionUid] !== undefined;

const hasEnded = (object: KubeObject, phases: Phases | undefined): boolean =>
  phases !== undefined && isTerminal(phases, phaseOf(object, phases.field));

/** No alert fires any more, or no process receives alerts any more. */
const isQuiet = (simulation: Simulation, story: LoopStory): boolean =>
  simulation.time.now() > SILENCED_AT || (isRolledOut(shopOf(simulation)) && firingOf(story)(simulation) === undefined);

const firingOf = (story: LoopStory) => story.firing ?? crashLoopFiring;

const endsOf = (simulation: Simulation): readonly string[] =>
  simulation.mirror
    .all(RemediationRequest)
    .map(({ status }) => [status?.overallPhase, status?.outcome].filter(Boolean).join(' '))
    .sort();

/** What is wrong with the end. A clock that was set may rightly make something too late or too early, but never makes anything run twice. */
function verdictOf(simulation: Simulation, story: LoopStory, ledger: Ledger): readonly string[] {
  const ends = endsOf(simulation);
  const runs = ledger.ended.length;
  const release = releaseOf(shopOf(simulation));
  const wordless = simulation.mirror.all(RemediationRequest).filter(({ status }) => !status?.message);
  const always = [
    ...(runs > story.runs ? [`workflows ran ${runs} times instead of ${story.runs}`] : []),
    ...(runs > 0 && runs === story.runs && release !== story.release
      ? [`the shop runs ${release ?? 'nothing'} instead of ${story.release}`]
      : []),
    ...wordless.map(({ metadata }) => `${metadata.name} ended without a word`),
  ];
  if (wasClockSet(simulation)) return always;
  const others = ends.filter((end) => !story.ends.includes(end));
  return [
    ...always,
    ...(runs < story.runs ? [`workflows ran ${runs} times instead of ${story.runs}`] : []),
    ...(ends.includes(story.ends[0]) ? [] : [`no remediation ended ${story.ends[0]}`]),
    ...others.map((end) => `a remediation ended ${end} instead of ${story.ends.join(' or ')}`),
  ];
}

/** A bad release is rolled back. */
export const loop = loopScenario({
  name: 'loop',
  releases: [GOOD, BAD],
  ends: ['Completed Remediated', NOTHING_TO_DO],
  runs: 1,
  release: GOOD.version,
});

/** It gives up at once: what it needs is gone. */
const WITHERED: Release = { version: '1.3.0', script: 'exit 1' };

/**
 * A bad release is rolled back, which does not help: the one before is unhealthy by now too. So the rollback is undone in turn, each time after
 * approval.
 */
export const undoLoop: Scenario = {
  ...loopScenario({
    name: 'loop-undo',
    environment: 'production',
    releases: [WITHERED, BAD],
    setUp: async (simulation) => {
      await takeBackBelow(simulation, 0.5);
      playApprover(simulation);
    },
    // The alert fires once: what was just rolled back is not tried again.
    firing: (simulation) => (simulation.mirror.all(RemediationRequest).length === 0 ? crashLoopFiring(simulation) : undefined),
    ends: ['Completed Inconclusive', 'Completed Remediated'],
    runs: 2,
    release: BAD.version,
  }),
  // The last health check may fall into the second in which a bad release still runs, and then ends as remediated.
  endMayDiffer: () => true,
};

/** What no workflow can help with ends with a reason, and nothing is touched. */
export const hopelessLoops: readonly Scenario[] = [
  loopScenario({
    name: 'loop-missing-target',
    releases: [GOOD],
    firing: (simulation) => webhook({ namespace: SHOP.namespace, deployment: 'nowhere' }, 'nowhere is down', simulation.time.now()),
    ends: ['Completed ManualReviewRequired'],
    runs: 0,
    release: GOOD.version,
  }),
  loopScenario({
    name: 'loop-first-revision',
    releases: [BAD],
    ends: ['Completed ManualReviewRequired'],
    runs: 0,
    release: BAD.version,
  }),
  loopScenario({
    name: 'loop-production',
    environment: 'production',
    releases: [GOOD, BAD],
    ends: ['Failed'],
    runs: 0,
    release: BAD.version,
  }),
  loopScenario({
    name: 'loop-workflow-fails',
    releases: [GOOD, BAD],
    workflow: () => Promise.reject(new PlatformError('Forbidden', 'deployments.apps "checkout" is forbidden')),
    ends: ['Failed'],
    runs: 1,
    release: BAD.version,
  }),
];
