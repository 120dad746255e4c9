import { MachineHealthCheck } from '../../api/machine-health-check/machine-health-check.ts';
import { Machine } from '../../api/machine/machine.ts';
import { apiVersionOf } from '../../api/resource.ts';
import { ANNOTATIONS } from '../../api/well-known.ts';
import { assertNever } from '../../base/index.ts';
import type { Simulation } from '../../simulation/index.ts';
import { inNamespace, quietly, type Fleet } from './fleet.ts';
import { REMEDY_NAMES, TEMPLATES, type RemedyName } from './kinds.ts';
import { triggerOf, type Act, type CheckPlan, type Gate, type Plot } from './timeline.ts';

/** Seconds instead of minutes. */
const POWER_CYCLE = { powerOffTimeoutSeconds: 40, powerOnTimeoutSeconds: 60, nodeTimeoutSeconds: 60 };

/** Fakes the network, the kubelets and the people: everything that happens to Machines and checks without Sickbay. */
export class Person {
  readonly #simulation: Simulation;
  readonly #fleet: Fleet;
  readonly #plot: Plot;

  constructor(simulation: Simulation, fleet: Fleet, plot: Plot) {
    this.#simulation = simulation;
    this.#fleet = fleet;
    this.#plot = plot;
  }

  async begin(): Promise<void> {
    for (const remedy of this.#plot.templates) await this.#putTemplate(remedy);
    for (const check of this.#plot.checks) await this.#putCheck(check);
    for (const act of this.#plot.acts) this.#simulation.later(act.afterMs, 'person', () => this.#do(act));
  }

  /** An operator repairs everything that can be repaired. */
  async tidyUp(): Promise<void> {
    for (const remedy of REMEDY_NAMES) await this.#putTemplate(remedy);
    for (const { metadata } of this.#simulation.mirror.all(MachineHealthCheck)) await this.#annotate('check', metadata.name, null);
    for (const { metadata } of this.#simulation.mirror.all(Machine)) {
      await this.#annotate('machine', metadata.name, null);
      await this.#fleet.mend(metadata.name);
    }
  }

  #do(act: Act): Promise<void> {
    switch (act.kind) {
      case 'ill':
        return this.#forAWhile(
          act.forMs,
          () => this.#fleet.turn(act.machine, act.ready),
          () => this.#fleet.mend(act.machine),
        );
      case 'deleteNode':
        return this.#forAWhile(
          act.forMs,
          () => this.#fleet.removeNode(act.machine),
          () => this.#fleet.mend(act.machine),
        );
      case 'deleteMachine':
        return this.#fleet.removeMachine(act.machine);
      case 'skip':
        return this.#forAWhile(
          act.forMs,
          () => this.#annotate('machine', act.machine, 'yes'),
          () => this.#annotate('machine', act.machine, null),
        );
      case 'edit':
        return this.#edit(act.check, act.gate);
      case 'pause':
        return this.#forAWhile(
          act.forMs,
          () => this.#annotate('check', act.check, 'yes'),
          () => this.#annotate('check', act.check, null),
        );
      case 'deleteCheck':
        return this.#forAWhile(
          act.forMs,
          () => this.#removeCheck(act.check),
          () => this.#putCheck(this.#planOf(act.check)),
        );
      case 'template':
        return act.isThere
          ? this.#putTemplate(act.remedy)
          : quietly(this.#simulation.admin.delete(TEMPLATES[act.remedy], inNamespace('usual')));
      default:
        return assertNever(act);
    }
  }

  async #forAWhile(forMs: number | undefined, begin: () => Promise<void>, end: () => Promise<void>): Promise<void> {
    await begin();
    if (forMs !== undefined) this.#simulation.later(forMs, 'person', end);
  }

  #annotate(what: 'machine' | 'check', name: string, value: string | null): Promise<void> {
    const resource = what === 'machine' ? Machine : MachineHealthCheck;
    const annotation = what === 'machine' ? ANNOTATIONS.skipRemediation : ANNOTATIONS.paused;
    const body = { metadata: { annotations: { [annotation]: value } } };
    return quietly(this.#simulation.admin.patch(resource, inNamespace(name), { type: 'merge', body }));
  }

  #edit(name: string, gate: Gate): Promise<void> {
    const spec =
      'below' in gate
        ? { maxUnhealthy: gate.below }
        : { remediation: { triggerIf: { unhealthyInRange: null, unhealthyLessThanOrEqualTo: null, ...triggerOf(gate) } } };
    return quietly(this.#simulation.admin.patch(MachineHealthCheck, inNamespace(name), { type: 'merge', body: { spec } }));
  }

  #planOf(name: string): CheckPlan {
    const plan = this.#plot.checks.find((check) => check.name === name);
    if (!plan) throw new Error(`no plan of the check ${name}`);
    return plan;
  }

  #putCheck({ name, version, spec }: CheckPlan): Promise<void> {
    const resource = { ...MachineHealthCheck, version };
    const draft = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: inNamespace(name), spec };
    return quietly(this.#simulation.admin.create(resource, draft as never));
  }

  #removeCheck(name: string): Promise<void> {
    return quietly(this.#simulation.admin.delete(MachineHealthCheck, inNamespace(name)));
  }

  #putTemplate(remedy: RemedyName): Promise<void> {
    const resource = TEMPLATES[remedy];
    const draft = {
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      metadata: inNamespace('usual'),
      spec: { template: { spec: remedy === 'PowerCycleRemediation' ? POWER_CYCLE : { how: remedy } } },
    };
    return quietly(this.#simulation.admin.create(resource, draft as never));
  }
}
