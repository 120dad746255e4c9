import { TARGET_BLOCKED_REASONS } from '../../controllers/remediation/suppression/suppress-until-cleared.ts';
import { Deployment } from '../../api/builtin/index.ts';
import { isTerminal } from '../../api/phases.ts';
import { NotificationRequest } from '../../api/notification-request/notification-request.ts';
import { remediationPhases } from '../../api/remediation-request/phases.ts';
import { RemediationRequest } from '../../api/remediation-request/remediation-request.ts';
import { HOUR, MINUTE } from '../../base/index.ts';
import { createRemediationController, type RemediationSeen } from '../../controllers/remediation/index.ts';
import type { Settings } from '../../controllers/settings.ts';
import { isOwnedBy } from '../../kube/objects/owner-references.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import { SIMULATION_START, type Invariant, type Simulation } from '../../simulation/index.ts';
import { legalMoves } from '../legal-moves.ts';
import { bootProcess, type BootOptions } from '../sample/boot.ts';
import type { Scenario } from '../scenario.ts';
import type { Fates } from './scripted-results.ts';
import { Ledger } from './ledger.ts';
import { Outside } from './outside-world.ts';
import { RequestRecord } from './request-record.ts';
import { seededFates } from './seeded-results.ts';
import { SHORT_SETTINGS, TOO_LATE_MS } from './settings.ts';
import { playStandIns } from './fake-controllers.ts';
import { drawStory, endOfStory, pathFates, PATHS, RUSH, rushFates, type Story } from './timeline.ts';
import { MISTAKES } from './faulty-orchestrators.ts';
import { CHILDREN, prepareWorld } from './world.ts';

interface OrchestratorScenario {
  readonly name: string;
  readonly settings?: Settings;
  /** Drawn before anything happens, from the seed of the run. */
  readonly plot: (simulation: Simulation) => { readonly story: Story; readonly fates: Fates };
  /** What is put in the place of the orchestrator. */
  readonly controller?: (right: Controller<RemediationSeen>) => Controller<RemediationSeen>;
  readonly process?: Omit<BootOptions, 'controllers'>;
  /** The end may rightly be another one if something happens later: a signal that finds its request still open is only counted. */
  readonly endsVary?: boolean;
}

interface Told {
  readonly story: Story;
  readonly outside: Outside;
  readonly record: RequestRecord;
  readonly ledger: Ledger;
}

/** A story about the orchestrator: two replicas of it, stand-ins for everybody else. */
function orchestratorScenario(options: OrchestratorScenario): Scenario {
  const { name, settings = SHORT_SETTINGS, controller = (right) => right } = options;
  const tellings = new WeakMap<Simulation, Told>();
  const told = (simulation: Simulation): Told => {
    const telling = tellings.get(simulation);
    if (!telling) throw new Error('the scenario was not prepared');
    return telling;
  };
  return {
    name,
    replicas: ['r1', 'r2'],
    boot: bootProcess({
      ...options.process,
      controllers: () => [
        controller(createRemediationController({ settings: () => settings, identityIsChecked: () => true, isAudited: () => true })),
      ],
    }),
    async prepare(simulation) {
      const { story, fates } = options.plot(simulation);
      await prepareWorld(simulation.admin, settings.namespace, story.targets);
      for (const resource of [RemediationRequest, ...CHILDREN, Deployment]) await simulation.follow(resource);
      const telling: Told = {
        story,
        outside: new Outside(simulation, settings.namespace),
        record: new RequestRecord(simulation, settings.routing.maxBlockedMs),
        ledger: new Ledger(),
      };
      tellings.set(simulation, telling);
      for (const invariant of invariantsOf(simulation, telling)) simulation.require(invariant);
      const { admin: client, clock } = simulation;
      const world = { client, clock, namespace: settings.namespace, fates, ledger: telling.ledger };
      simulation.alongside('stand-ins', (signal) => playStandIns(world, signal));
      telling.outside.play(story);
    },
    settled: (simulation) => isSettled(simulation, told(simulation)),
    verdict: (simulation) => verdictOf(simulation, told(simulation)),
    endState: options.endsVary ? () => 'all ended' : endsOf,
    faultsForMs: MINUTE,
    deadlineMs: 2 * HOUR,
  };
}

function invariantsOf(simulation: Simulation, { ledger, record }: Told): readonly Invariant[] {
  const moves = legalMoves(simulation);
  return [
    // The stand-ins go straight to their ends.
    { name: moves.name, check: (mirror) => ofRequests(() => moves.check(mirror)) },
    { name: 'nothing acts twice, unasked or without leave', check: () => ledger.wrong() },
    { name: 'one execution per request, and blocks end with their reason', check: () => record.wrong() },
  ];
}

function ofRequests(next: () => string | undefined): string | undefined {
  for (let wrong = next(); wrong !== undefined; wrong = next()) if (wrong.startsWith(RemediationRequest.kind)) return wrong;
  return undefined;
}

/** Every request has ended, and a notification of each was sent. */
function isSettled(simulation: Simulation, { story }: Told): boolean {
  if (simulation.time.now() - SIMULATION_START <= endOfStory(story)) return false;
  const requests = simulation.mirror.all(RemediationRequest);
  const messages = simulation.mirror.all(NotificationRequest);
  return requests.every(
    (request) => isTerminal(remediationPhases, request.status?.overallPhase) && messages.some((message) => isToldBy(request, message)),
  );
}

/** The notification belongs to the request, or a foreign object has its name and the request reports that. */
const isToldBy = ({ metadata, status }: RemediationRequest, message: NotificationRequest): boolean =>
  isOwnedBy(message, metadata.uid) ||
  (message.metadata.name.endsWith(metadata.name) &&
    (status?.conditions ?? []).some(({ type, status: holds }) => type === 'NotificationDelivered' && holds === 'False'));

/** What is wrong with the end. Where nothing failed, no write was made in vain either. */
function verdictOf(simulation: Simulation, { record, outside, ledger }: Told): readonly string[] {
  const wordless = simulation.mirror.all(RemediationRequest).filter(({ status }) => !status?.message || !status.completedAt);
  const always = wordless.map(({ metadata }) => `${metadata.name} ended without a word`);
  if (simulation.injected.length > 0) return always;
  const waited = new Map(
    simulation.mirror.all(RemediationRequest).map((request) => [request.metadata.name, moreWrites(request, simulation)]),
  );
  const wasteful = [...record.written].flatMap(([name, { changes, phases }]) => {
    const own = changes - (outside.writes.get(name) ?? 0);
    return own > phases.length + 1 + (waited.get(name) ?? 0)
      ? [`${name} was written ${own} times for the phases ${phases.join(', ')}`]
      : [];
  });
  return [...always, ...wasteful, ...ledger.busy.map((execution) => `${execution} was let go on a target that was being worked on`)];
}

/**
 * Duplicates are counted as they come; a taken notification name is reported, then cleared; a hold ends with its block; what a suppression
 * depends on is read, and recorded, after the end.
 */
function moreWrites({ metadata, status }: RemediationRequest, { mirror }: Simulation): number {
  const isTaken = mirror
    .all(NotificationRequest)
    .some((message) => message.metadata.name.endsWith(metadata.name) && !isOwnedBy(message, metadata.uid));
  const { duplicateCount = 0, skipReason, nextAllowedExecution, suppression } = status ?? {};
  const isLifted = TARGET_BLOCKED_REASONS.includes(skipReason) && nextAllowedExecution === undefined;
  const isTargetRecorded = suppression?.target !== undefined;
  return duplicateCount + (isTaken ? 2 : 0) + Number(isLifted) + Number(isTargetRecorded);
}

const endsOf = (simulation: Simulation): readonly string[] =>
  simulation.mirror
    .all(RemediationRequest)
    .map(({ metadata, status }) => [metadata.name, status?.overallPhase, status?.outcome].filter(Boolean).join(' '))
    .toSorted();

const byChance = (simulation: Simulation): { readonly story: Story; readonly fates: Fates } => ({
  story: drawStory(simulation.random),
  fates: seededFates(simulation.random.int(2 ** 32), TOO_LATE_MS),
});

/** Everything at once, by chance. */
export const orchestrator = orchestratorScenario({ name: 'orchestrator', plot: byChance, endsVary: true });

/** The main ways, one request each. */
export const orchestratorPaths = orchestratorScenario({ name: 'orchestrator-paths', plot: () => ({ story: PATHS, fates: pathFates }) });

/** Requests about few targets at the same time, where answers, executions and time decide: what mistakes show in. */
const busy = (simulation: Simulation): { readonly story: Story; readonly fates: Fates } => ({
  story: RUSH,
  fates: rushFates(simulation.random.int(2 ** 32)),
});

/** Orchestrators with one mistake each, and the complaint that must come; another one proves nothing. */
export const brokenOrchestrators = MISTAKES.map(({ name, controller, complaint }) => ({
  name,
  complaint,
  scenario: orchestratorScenario({ name, plot: busy, controller }),
}));

/** The same story with nothing wrong. */
export const orchestratorRush = orchestratorScenario({ name: 'orchestrator-rush', plot: busy });
