import { seededRandom, SECOND, type Random } from '../../base/index.ts';
import { ends, type Fates } from './scripted-results.ts';
import { textHash } from './seeded-results.ts';

/** A signal reaches the gateway. */
export interface Firing {
  readonly atMs: number;
  readonly target: string;
  /** Opens a request although one is at work already, as two gateways do that ask at the same time. */
  readonly insists?: boolean;
  readonly dryRun?: boolean;
}

/** What people and the cluster do meanwhile, to a target or to the newest request about it. */
export interface Deed {
  readonly atMs: number;
  readonly target: string;
  readonly does: 'cancel' | 'resolve' | 'edit' | 'unmanage' | 'manage' | 'removeTarget' | 'replaceTarget' | 'squat';
}

/** All that comes from outside in one run, but for faults. */
export interface Story {
  readonly targets: readonly string[];
  readonly firings: readonly Firing[];
  readonly deeds: readonly Deed[];
}

/** Nothing comes from outside after that. */
export const endOfStory = ({ firings, deeds }: Story): number => Math.max(0, ...[...firings, ...deeds].map(({ atMs }) => atMs));

const TARGETS = ['checkout', 'cart'] as const;
const DEEDS: readonly Deed['does'][] = [
  'cancel',
  'resolve',
  'edit',
  'edit',
  'unmanage',
  'manage',
  'removeTarget',
  'replaceTarget',
  'squat',
];
/** Signals and deeds come in this time. */
const SPAN_MS = 70 * SECOND;

/** A story by chance: few targets, so that requests meet. It is drawn whole before anything happens. */
export function drawStory(random: Random): Story {
  const firings = Array.from({ length: 2 + random.int(3) }, (_, i) => ({
    atMs: i === 0 ? 0 : random.int(SPAN_MS),
    target: random.pick(TARGETS),
    insists: random.chance(0.4),
    dryRun: random.chance(0.08),
  }));
  const deeds = Array.from({ length: random.int(3) }, () => ({
    atMs: random.int(SPAN_MS),
    target: random.pick(TARGETS),
    does: random.pick(DEEDS),
  }));
  // Every unmanaged target becomes managed again in the end, so that requests that wait for it continue.
  const unmanaged = deeds.filter(({ does }) => does === 'unmanage').map(({ target }) => target);
  return {
    targets: TARGETS,
    firings,
    deeds: [...deeds, ...unmanaged.map((target) => ({ atMs: SPAN_MS, target, does: 'manage' as const }))],
  };
}

const DELAY_MS = 3 * SECOND;

/** One target, one request, one way each: what becomes of them does not depend on faults. */
export const PATHS: Story = {
  targets: ['fine', 'asked', 'refused', 'broken'],
  firings: [
    { atMs: 0, target: 'fine' },
    { atMs: 500, target: 'asked' },
    { atMs: SECOND, target: 'refused' },
    { atMs: 2 * SECOND, target: 'broken' },
  ],
  deeds: [],
};

/** How the paths go, by the target's name. */
export const pathFates: Fates = {
  processing: () => ends('Completed', DELAY_MS),
  analysis: (request) => ends(/asked|refused/.test(request) ? 'ApprovalRequired' : 'Plan', DELAY_MS),
  approval: (request) => ends(request.includes('asked') ? 'Approved' : 'Rejected', DELAY_MS),
  execution: (request) => ends(request.includes('broken') ? 'FailedDuring' : 'Completed', DELAY_MS),
  assessment: () => ends('Remediated', DELAY_MS),
  notification: () => ends('Sent', DELAY_MS),
};

/** The same target repeatedly, whatever its history is. */
export const RUSH: Story = {
  targets: ['checkout', 'cart'],
  firings: [
    { atMs: 0, target: 'checkout' },
    { atMs: SECOND, target: 'cart' },
    { atMs: 20 * SECOND, target: 'checkout', insists: true },
    { atMs: 40 * SECOND, target: 'checkout', insists: true },
  ],
  deeds: [],
};

/** Much is asked, half of it refused; some executions are deleted while they are at work. */
export function rushFates(seed: number): Fates {
  const of = (child: string): Random => seededRandom(seed ^ textHash(child));
  return {
    ...pathFates,
    analysis: (_, child) => ends(of(child).pick(['ApprovalRequired', 'ApprovalRequired', 'Plan'] as const), DELAY_MS),
    approval: (_, child) => ends(of(child).pick(['Approved', 'Rejected'] as const), DELAY_MS),
    execution: (_, child) =>
      of(child).chance(0.4)
        ? { does: 'vanish', afterMs: DELAY_MS }
        : ends(of(child).pick(['Completed', 'FailedDuring'] as const), DELAY_MS),
  };
}
