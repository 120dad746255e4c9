import { Deployment, Namespace } from '../../src/api/builtin/index.ts';
import { isTerminal, remediationPhases, RemediationRequest } from '../../src/api/index.ts';
import type { KubeObject } from '../../src/api/meta.ts';
import type { Resource } from '../../src/api/resource.ts';
import { ANNOTATIONS, LABELS } from '../../src/api/well-known.ts';
import { after, hasCode, SECOND, steadyClock, systemClock } from '../../src/base/index.ts';
import { ensureNamespace } from '../../src/cli/process/install.ts';
import { DEFAULT_SETTINGS } from '../../src/controllers/default-settings.ts';
import type { KubeClient } from '../../src/kube/index.ts';
import { aDeployment, probe, sh } from '../../workflows/testing/shop.ts';
import type { Course } from './book.ts';
import type { CommandEnd, Day } from './day.ts';
import type { SeenAlert } from './webhook-tap.ts';

/** A release that runs, and is ready at once. */
export const GOOD = { command: sh('sleep 86400') };
/** It is ready for a moment, and exits with an error. */
export const BAD = { command: sh('sleep 2; echo "config: no such key payments.url" >&2; exit 1') };
/** It runs for long enough that its alerts resolve between two crashes. */
export const FLAPPING = { command: sh('sleep 20; exit 1') };
export const NEVER_READY = { ...GOOD, readinessProbe: probe('false') };

export type Environment = 'staging' | 'production';

/** What did not end as it should. */
class Mismatch extends Error {}

/** The namespace in which one fault takes place, and what is known about it. */
export class Stage {
  readonly name: string;
  readonly namespace: string;
  readonly client: KubeClient;
  readonly day: Day;
  /** Everything that is not as expected. */
  readonly wrongs: string[] = [];
  /** What `sickbay explain` said of its requests. */
  readonly explained: string[] = [];
  readonly beganAt = steadyClock.now();

  constructor(day: Day, name: string) {
    this.day = day;
    this.name = name;
    this.namespace = `${day.prefix}${name}`;
    this.client = day.client;
  }

  say(text: string): void {
    this.day.say(this.name, text);
  }

  async open(environment: Environment): Promise<void> {
    await ensureNamespace(this.client, this.namespace, { [LABELS.managed]: 'true', [LABELS.environment]: environment });
  }

  async close(): Promise<void> {
    await this.client.delete(Namespace, { namespace: '', name: this.namespace }).catch((error: unknown) => {
      if (!hasCode(error, 'NotFound')) throw error;
    });
  }

  create<T extends KubeObject>(resource: Resource<T>, name: string, rest: object): Promise<T> {
    const { group, version, kind } = resource;
    const { metadata = {}, ...body } = rest as { readonly metadata?: object };
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const object = { apiVersion, kind, ...body, metadata: { ...metadata, name, namespace: this.namespace } };
    return this.client.create(resource, object as unknown as Parameters<typeof this.client.create<T>>[1]);
  }

  /** A Deployment of which two pods are to be ready. */
  async deploy(
    name: string,
    container: object = GOOD,
    more: { readonly replicas?: number; readonly metadata?: object; readonly spec?: object } = {},
  ) {
    const { replicas = 2, metadata = {}, spec } = more;
    await this.create(Deployment, name, { ...aDeployment(name, container, { replicas, ...(spec && { spec }) }), metadata });
    if (container === GOOD) await this.untilReady(name, replicas);
  }

  patch(name: string, body: object): Promise<Deployment> {
    return this.client.patch(Deployment, this.key(name), { type: 'merge', body });
  }

  /** Rolls out another container, and more of the pods. */
  release(name: string, container: object, podSpec: object = {}): Promise<Deployment> {
    this.say(`${name}: a release is rolled out`);
    const { spec } = aDeployment(name, container, { spec: podSpec });
    return this.patch(name, { spec: { template: { spec: spec.template.spec } } });
  }

  key(name: string): { readonly namespace: string; readonly name: string } {
    return { namespace: this.namespace, name };
  }

  untilReady(name: string, replicas = 2): Promise<true> {
    return this.until(`${replicas} of ${name} are ready`, 120, async () => {
      const { metadata, status } = await this.client.get(Deployment, this.key(name));
      const counts = [status?.replicas, status?.updatedReplicas, status?.availableReplicas];
      return (status?.observedGeneration === metadata.generation && counts.every((count) => count === replicas)) || undefined;
    });
  }

  /** The command line of the first container, as the spec has it. */
  async commandOf(name: string): Promise<readonly string[] | undefined> {
    return (await this.client.get(Deployment, this.key(name))).spec.template.spec.containers[0]?.command;
  }

  /** Requests about what is in the namespace, in the order in which they were opened. */
  courses(): readonly Course[] {
    return this.day.book.courses(({ spec: { targetResource: target } }) => (target.namespace || target.name) === this.namespace);
  }

  alerts(): readonly SeenAlert[] {
    return this.day.tap.seen.filter(({ labels }) => labels['namespace'] === this.namespace);
  }

  /** Asks until there is an answer; throws a Mismatch after so many seconds. */
  async until<T>(what: string, seconds: number, ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
    const deadline = after(steadyClock.now(), seconds * SECOND);
    for (;;) {
      const answer = await ask();
      if (answer !== undefined) return answer;
      if (steadyClock.now() >= deadline) throw new Mismatch(`not within ${seconds} s: ${what}`);
      await this.wait(0.5);
    }
  }

  wait(seconds: number): Promise<void> {
    return systemClock.waitUntil(after(systemClock.now(), seconds * SECOND), this.day.over.signal);
  }

  /** Notes that something is wrong unless it is so. */
  expect(what: string, isSo: boolean): void {
    if (!isSo) this.wrongs.push(what);
  }

  /** Waits for the request of that number to be in one of these phases. */
  untilPhase(index: number, phases: readonly string[], seconds: number): Promise<Course> {
    return this.until(`request ${index + 1} is in ${phases.join(' or ')}`, seconds, () => {
      const course = this.courses()[index];
      return phases.includes(course?.request.status?.overallPhase ?? '') ? course : undefined;
    });
  }

  untilEnded(index: number, seconds: number): Promise<Course> {
    return this.until(`request ${index + 1} has ended`, seconds, () => {
      const course = this.courses()[index];
      return course && isTerminal(remediationPhases, course.request.status?.overallPhase) ? course : undefined;
    });
  }

  /** A person approves it. */
  async approve(course: Course, ...flags: readonly string[]): Promise<CommandEnd> {
    return this.command('approve', course.request.metadata.name, ...flags);
  }

  async command(...args: readonly string[]): Promise<CommandEnd> {
    const end = await this.day.sickbay(...args);
    this.say(`sickbay ${args.join(' ')}: exit ${end.code}: ${end.output}`);
    return end;
  }

  /** Keeps what a person who asks reads about it now. */
  async explain({ request }: Course): Promise<string> {
    const { output } = await this.day.sickbay('explain', request.metadata.name);
    this.explained.push(output);
    return output;
  }

  async cancel({ request }: Course, reason: string): Promise<void> {
    const annotations = { [ANNOTATIONS.cancel]: reason, [ANNOTATIONS.cancelBy]: 'admin' };
    const key = { namespace: DEFAULT_SETTINGS.namespace, name: request.metadata.name };
    await this.client.patch(RemediationRequest, key, { type: 'merge', body: { metadata: { annotations } } });
    this.say('a person cancels it');
  }
}
