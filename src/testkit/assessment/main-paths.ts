import { SECOND } from '../../base/index.ts';
import type { Order, Plot, Workload } from './plot.ts';

const ORDER: Order = {
  atMs: SECOND,
  stabilizeMs: 10 * SECOND,
  propagateMs: 0,
  alertDelayMs: 0,
  isNamed: true,
  isApplied: true,
  ran: 'well',
};

const workload = (name: string, rest: Partial<Workload>, order: Partial<Order> = {}): Workload => ({
  name,
  kind: 'Deployment',
  pods: [{ atMs: 0, to: 'ready' }],
  alert: [{ atMs: 0, to: 'silent' }],
  metrics: { better: 0.5, fromMs: 0, isOld: true },
  deeds: [],
  orders: [{ ...ORDER, ...order }],
  ...rest,
});

/** The main ways, one assessment each: whatever fails meanwhile, the same is true whenever they look. */
export const PATHS: Plot = {
  alertmanager: [],
  prometheus: [],
  workloads: [
    workload('fine', {}),
    workload('gitops', { deeds: [{ atMs: 4 * SECOND, to: 'edit' }] }, { propagateMs: 5 * SECOND }),
    workload('still', { pods: [{ atMs: 0, to: 'looping' }], alert: [{ atMs: 0, to: 'firing' }] }),
    workload('stuck', { alert: [{ atMs: 0, to: 'suppressed' }] }),
    workload('mute', { metrics: { better: 1, fromMs: 24 * 3_600 * SECOND, isOld: true } }),
    workload('drift', { deeds: [{ atMs: 3 * SECOND, to: 'settings' }] }),
    // The last look but one is twenty seconds before the end.
    workload('late', { alert: [{ atMs: 0, to: 'firing' }], deeds: [{ atMs: 46 * SECOND, to: 'edit' }] }),
    workload('gone', { deeds: [{ atMs: 3 * SECOND, to: 'remove' }] }),
    workload('void', {}, { ran: 'never' }),
  ],
};
