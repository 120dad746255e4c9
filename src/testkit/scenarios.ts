import type { Scenario } from './scenario.ts';
import { assessment, assessmentPaths, assessmentSteps } from './assessment/scenarios.ts';
import { hopelessLoops, loop, undoLoop } from './loop/scenarios.ts';
import { orchestrator, orchestratorPaths, orchestratorRush } from './orchestrator/scenarios.ts';
import { awx, fewAwx } from './awx/scenario.ts';
import { fewMachines, machines, powerMachines } from './machines/scenario.ts';
import { fewOwner, owner } from './owner/scenario.ts';
import { pipeline, pipelineRecovers } from './pipeline/scenario.ts';
import { fewRivals, rivals } from './rivals/scenario.ts';
import { errandScenarioRight } from './sample/scenarios.ts';

/** Every scenario that must never be violated: what `npm run sim` runs. */
export const scenarios: readonly Scenario[] = [
  errandScenarioRight,
  rivals,
  fewRivals,
  awx,
  fewAwx,
  machines,
  fewMachines,
  powerMachines,
  owner,
  fewOwner,
  assessment,
  assessmentPaths,
  assessmentSteps,
  loop,
  undoLoop,
  ...hopelessLoops,
  pipeline,
  pipelineRecovers,
  orchestrator,
  orchestratorPaths,
  orchestratorRush,
];
