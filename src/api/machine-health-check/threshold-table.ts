import { gateAllows, type Gate } from './unhealthy-limit.ts';

const forty = { unit: 'percent', percent: 40 } as const;
const two = { unit: 'machines', count: 2 } as const;

const COLUMNS: readonly { readonly title: string; readonly gate: Gate }[] = [
  { title: 'v1alpha3 `maxUnhealthy: "40%"`', gate: { kind: 'below', limit: forty } },
  { title: 'v1beta1 `maxUnhealthy: "40%"`, v1beta2 `unhealthyLessThanOrEqualTo: "40%"`', gate: { kind: 'atMost', limit: forty } },
  { title: 'v1alpha3 `maxUnhealthy: 2`', gate: { kind: 'below', limit: two } },
  { title: 'v1beta1 `maxUnhealthy: 2`, v1beta2 `unhealthyLessThanOrEqualTo: 2`', gate: { kind: 'atMost', limit: two } },
];

const CASES: readonly (readonly [total: number, unhealthy: number])[] = [
  [3, 1],
  [3, 2],
  [5, 1],
  [5, 2],
  [5, 3],
  [6, 2],
  [6, 3],
  [10, 3],
  [10, 4],
  [10, 5],
  [25, 9],
  [25, 10],
  [25, 11],
];

/** The meanings of the threshold side by side, worked out by the gate itself. */
export function thresholdTable(): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    '## What the threshold means',
    '',
    'In the v1alpha3 form remediation stops *at* the threshold, and shares are compared exactly. In v1beta1 and v1beta2 it continues *up to and including*',
    'the limit, and shares are rounded down. Without any limit everything may be remediated. `spec.writtenAs` keeps which form the check was written in;',
    'an edit through another version does not change it unless that edit states the limit again in `remediation.triggerIf`.',
    '',
    row(['watched', 'unhealthy', ...COLUMNS.map(({ title }) => title)]),
    row(['---', '---', ...COLUMNS.map(() => '---')]),
    ...CASES.map(([total, unhealthy]) =>
      row([`${total}`, `${unhealthy}`, ...COLUMNS.map(({ gate }) => (gateAllows(gate, { total, unhealthy }) ? 'remediated' : 'stopped'))]),
    ),
  ].join('\n');
}
