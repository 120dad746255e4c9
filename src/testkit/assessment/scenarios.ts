/**
 * Assessments in a world that is known: what is true of each workload, and what the servers said of it, is on the world's own record.
 *
 * - `plot.ts` says what happens in one run: workloads, their pods, alerts and metrics, what others do to them, the assessments that are
 *   ordered, and the bad times of Alertmanager and Prometheus; `draw-plot.ts` draws one from a seed.
 * - `outside.ts` lets it happen, `servers.ts` answers the clients of production over the simulated network, `facts.ts` remembers.
 * - `record.ts` holds every change of an assessment against what may be, `judge.ts` every end against the facts.
 * - `variants.ts` are monitors with one mistake each.
 */
import { ConfigMap, Deployment, Node, StatefulSet } from '../../api/builtin/index.ts';
import { EffectivenessAssessment } from '../../api/effectiveness-assessment/effectiveness-assessment.ts';
import { overallScore } from '../../api/effectiveness-assessment/overall-score.ts';
import { assessmentPhases } from '../../api/effectiveness-assessment/phases.ts';
import { isTerminal } from '../../api/phases.ts';
import { MINUTE } from '../../base/index.ts';
import { createEffectivenessController, type AssessmentSeen } from '../../controllers/effectiveness/index.ts';
import type { Controller } from '../../runtime/reconcile/controller.ts';
import { SIMULATION_START, type Simulation } from '../../simulation/index.ts';
import { legalMoves } from '../legal-moves.ts';
import { bootProcess } from '../sample/boot.ts';
import type { Scenario } from '../scenario.ts';
import { drawPlot } from './draw-plot.ts';
import { Facts } from './workload-facts.ts';
import { Outside } from './play-plot.ts';
import { endOfPlot, type Plot } from './plot.ts';
import { PATHS } from './main-paths.ts';
import { AssessmentRecord } from './record.ts';
import { monitoringOf, serversOf } from './monitoring-servers.ts';
import { FAULTS_MS } from './timing.ts';
import { MISTAKES } from './broken-monitors.ts';
import { install, SETTINGS } from './world.ts';

export interface AssessmentStory {
  readonly name: string;
  /** Drawn before anything happens, from the seed of the run. */
  readonly plot: (simulation: Simulation) => Plot;
  /** What is put in the place of the monitor. */
  readonly controller?: (right: Controller<AssessmentSeen>) => Controller<AssessmentSeen>;
  /** The end may rightly be another one if something happens later. */
  readonly endsVary?: boolean;
}

/** Two replicas of the monitor, and everything around them. */
function assessmentScenario({ name, plot: draw, controller = (right) => right, endsVary = false }: AssessmentStory): Scenario {
  // Runs come one after the other; each process asks what is configured in the run that it belongs to.
  let plot: Plot = { workloads: [], alertmanager: 'off', prometheus: 'off' };
  let ordered = 0;
  return {
    name,
    replicas: ['r1', 'r2'],
    boot: bootProcess({ controllers: (env) => [controller(createEffectivenessController(() => SETTINGS, monitoringOf(env, plot)))] }),
    async prepare(simulation) {
      plot = draw(simulation);
      await install(simulation.admin, plot.workloads);
      for (const resource of [EffectivenessAssessment, Deployment, StatefulSet, Node, ConfigMap]) await simulation.follow(resource);
      const facts = new Facts(simulation, plot.workloads);
      const record = new AssessmentRecord(simulation, plot, facts);
      ordered = record.size;
      for (const invariant of [...record.invariants(), legalMoves(simulation)]) simulation.require(invariant);
      simulation.neighbours.push(serversOf(simulation, plot, facts));
      await new Outside(simulation, facts).play(plot);
    },
    settled: (simulation) => simulation.time.now() - SIMULATION_START > endOfPlot(plot) && haveEnded(simulation, ordered),
    endState: endsVary ? () => 'all ended' : endsOf,
    faultsForMs: FAULTS_MS,
    deadlineMs: 90 * MINUTE,
  };
}

function haveEnded({ mirror }: Simulation, ordered: number): boolean {
  const assessments = mirror.all(EffectivenessAssessment);
  return assessments.length === ordered && assessments.every(({ status }) => isTerminal(assessmentPhases, status?.phase));
}

/** Each with its reason and its score. */
const endsOf = ({ mirror }: Simulation): readonly string[] =>
  mirror
    .all(EffectivenessAssessment)
    .map(({ metadata, status }) =>
      [metadata.name, status?.phase, status?.assessmentReason, overallScore(status?.components, status?.assessmentReason) ?? 'none'].join(
        ' ',
      ),
    )
    .toSorted();

/** Everything at once, by chance. */
export const assessment = assessmentScenario({ name: 'assessment', plot: ({ random }) => drawPlot(random), endsVary: true });

/** Monitors with one mistake each, and the complaint that must come; another one proves nothing. */
export const brokenMonitors = MISTAKES.map(({ name, controller, complaint }) => ({
  name,
  complaint,
  scenario: assessmentScenario({ name, plot: ({ random }) => drawPlot(random), controller, endsVary: true }),
}));

/** One way each; what becomes of them does not depend on faults. */
export const assessmentPaths = assessmentScenario({ name: 'assessment-paths', plot: () => PATHS });

/** Two of them, for what is done to every single step. */
export const assessmentSteps: Scenario = {
  ...assessmentScenario({
    name: 'assessment-steps',
    plot: () => ({ ...PATHS, workloads: PATHS.workloads.filter(({ name }) => name === 'gitops' || name === 'late') }),
  }),
  // An event that is never delivered is found only when the cache lists again, long after the assessment has timed out.
  endMayDiffer: ({ fault }) => fault.kind === 'DroppedEvents',
};
