import { ConfigMap } from '../../api/builtin/index.ts';
import type { Instant } from '../../base/index.ts';
import { fingerprint } from '../../controllers/target/index.ts';
import type { Simulation } from '../../simulation/index.ts';
import { hasPods, SHOP, targetOf, type AlertState, type PodState, type Workload } from './plot.ts';
import { RESOURCES, settingsName } from './world.ts';
import { Timeline } from './timeline.ts';

/** What is true of one workload, and what was truly said of it. */
export interface WorkloadFacts {
  /** Its state as one digest; `gone` where it does not exist. */
  readonly state: Timeline<string>;
  readonly pods: Timeline<PodState>;
  readonly alert: Timeline<AlertState>;
  /** When Alertmanager gave a right answer about it. */
  readonly alertAnswers: Instant[];
  /** When Prometheus last gave a right answer to each question about it. */
  readonly metricAnswers: Map<string, Instant>;
}

export const GONE = 'gone';

/** The world's own record, which no controller can write. */
export class Facts {
  readonly #simulation: Simulation;
  readonly #of = new Map<string, WorkloadFacts>();

  constructor(simulation: Simulation, workloads: readonly Workload[]) {
    this.#simulation = simulation;
    for (const workload of workloads) {
      const facts = { state: new Timeline<string>(), pods: new Timeline<PodState>(), alert: new Timeline<AlertState>() };
      this.#of.set(workload.name, { ...facts, alertAnswers: [], metricAnswers: new Map() });
      this.#look(workload);
    }
    simulation.mirror.onChange(({ before, after }) => {
      const { kind, metadata } = after ?? before ?? { kind: '', metadata: { name: '' } };
      const isAbout = ({ name, kind: own }: Workload): boolean =>
        (kind === own && metadata.name === name) || (kind === ConfigMap.kind && metadata.name === settingsName(name));
      for (const workload of workloads.filter(isAbout)) this.#look(workload);
    });
  }

  now(): Instant {
    return this.#simulation.time.now();
  }

  of({ name }: Pick<Workload, 'name'>): WorkloadFacts {
    const facts = this.#of.get(name);
    if (!facts) throw new Error(`nothing is known of ${name}`);
    return facts;
  }

  #look(workload: Workload): void {
    const resource = RESOURCES[workload.kind];
    if (!resource) return;
    const { mirror } = this.#simulation;
    const { namespace = '', name } = targetOf(workload);
    const object = mirror.get(resource, { namespace, name });
    const settings = mirror.get(ConfigMap, { namespace: SHOP, name: settingsName(name) });
    const read = settings ? ({ kind: 'value', value: settings } as const) : ({ kind: 'absent' } as const);
    const configMaps = hasPods(workload) ? new Map([[settingsName(name), read]]) : undefined;
    const state = object ? fingerprint({ ...object, ...(configMaps && { configMaps }) }).specHash : GONE;
    this.of(workload).state.set(this.now(), state);
  }
}
