import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import {
  crdOf,
  kinds,
  MachineHealthCheck,
  NotificationRequest,
  RemediationApprovalRequest,
  RemediationRequest,
  type KindDefinition,
} from '../../src/api/index.ts';
import { CONFIG_KEYS } from '../../src/config/index.ts';
import { configPage } from './config-page.ts';
import { fieldRows } from './field-rows.ts';
import { generatedFiles } from './generated-files.ts';
import { kindPage, pageName } from './kind-page.ts';
import { table } from './markdown.ts';
import { stateDiagram } from './state-diagram.ts';

describe('generated files', () => {
  const files = generatedFiles();

  test.each(files)('$path is fresh', ({ path, text }) => expect(readFileSync(path, 'utf8')).toBe(text));

  test('there are a definition and a page for each kind, and one index', () =>
    expect(files.filter(({ path }) => /^(deploy\/crds|docs\/kinds)\//.test(path))).toHaveLength(2 * kinds.length + 1));

  test.each(kinds)('the YAML of $kind is its whole definition', (kind) => {
    const file = files.find(({ path }) => path === `deploy/crds/${kind.plural}.${kind.group}.yaml`);
    expect(parse(file?.text ?? '')).toEqual(crdOf(kind));
  });

  test('generation is repeatable', () => expect(generatedFiles()).toEqual(files));
});

test.each([
  { kind: 'RemediationRequest', want: 'remediation-request.md' },
  { kind: 'AIAnalysis', want: 'ai-analysis.md' },
  { kind: 'ActionType', want: 'action-type.md' },
])('the page of $kind is $want', ({ kind, want }) => expect(pageName({ kind } as KindDefinition)).toBe(want));

describe('a page', () => {
  const page = kindPage(RemediationRequest);

  test.each(['## Phases', '## Columns', '## Fields of spec', '## Fields of status', '## Rules', '## Sample'])('has %s', (title) =>
    expect(page).toContain(`\n${title}\n`),
  );

  test('shows type, rule, default and meaning of a field', () => {
    expect(kindPage(NotificationRequest)).toContain(
      '| `spec.priority`* | string | `Critical`, `High`, `Medium`, `Low` | `"Medium"` | How urgent it is. |',
    );
  });

  test('shows each CEL rule with its message', () => expect(page).toContain('| `spec` | spec is immutable | `self == oldSelf` |'));

  test('shows the sample as it is applied', () => {
    const yaml = /## Sample\n\n```yaml\n([^]*?)```/.exec(page)?.[1] ?? '';
    expect(parse(yaml)).toEqual(RemediationRequest.sample);
  });

  test('shows the columns of every version, where there are several', () => {
    expect(kindPage(MachineHealthCheck)).toContain('| v1alpha3 | MaxUnhealthy | `.spec.maxUnhealthy` |  |');
    expect(page).toContain('| Phase | `.status.overallPhase` |  |');
  });

  test('[MH-058] shows what the threshold means in each version', () =>
    expect(kindPage(MachineHealthCheck)).toContain('## What the threshold means'));
});

describe('the diagram', () => {
  const diagram = stateDiagram(RemediationRequest.phases!);

  test('has an arrow for each phase transition, and no other', () => {
    const arrows = [...diagram.matchAll(/^ {2}(\w+) --> (\w+)$/gm)].map(([, from, to]) => `${from} ${to}`);
    const moves = Object.entries(RemediationRequest.phases!.transitions).flatMap(([from, tos]) => tos.map((to) => `${from} ${to}`));
    expect(arrows).toEqual(moves);
  });

  test('has a start and an end', () => {
    expect(diagram).toContain('[*] --> Pending');
    expect(diagram).toContain('Cancelled --> [*]');
  });

  test('gives a phase without a name or with a dash an alias that mermaid accepts', () => {
    expect(stateDiagram(RemediationApprovalRequest.phases!)).toContain('state "undecided" as undecided');
    expect(stateDiagram({ field: 'phase', initial: 'power-off', terminal: [], transitions: { 'power-off': [] } })).toContain(
      'state "power-off" as power_off',
    );
  });
});

describe('fieldRows', () => {
  test.each([
    { reason: 'a span', schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 9 }, want: ['int32', '1 to 9', ''] },
    { reason: 'a lower bound', schema: { type: 'string', minLength: 1 }, want: ['string', 'at least 1 characters', ''] },
    {
      reason: 'an upper bound',
      schema: { type: 'array', items: { type: 'string', maxLength: 3 }, maxItems: 4 },
      want: ['list of string', 'at most 4 items; each: at most 3 characters', ''],
    },
    { reason: 'a map', schema: { type: 'object', additionalProperties: { type: 'boolean' } }, want: ['map of boolean', '', ''] },
    { reason: 'an empty text among the values', schema: { type: 'string', enum: ['', 'a'] }, want: ['string', '`""`, `a`', ''] },
    { reason: 'a default', schema: { type: 'boolean', default: false }, want: ['boolean', '', '`false`'] },
    { reason: 'anything', schema: { 'x-kubernetes-preserve-unknown-fields': true }, want: ['any', '', ''] },
  ] as const)('$reason', ({ schema, want }) => {
    expect(fieldRows({ properties: { it: schema } }, 'spec')).toEqual([['`spec.it`', ...want, '']]);
  });
});

describe('the page of the configuration', () => {
  const page = configPage();

  test('has a row for every key', () =>
    expect([...page.matchAll(/^\| `([a-zA-Z.]+)` \| `/gm)].map(([, key]) => key)).toEqual(CONFIG_KEYS.map(({ key }) => key)));

  test.each([
    '| `dryRunHoldPeriod` | `1h` | 5m to 168h | How long no new remediation of the signal starts after a dry run. |',
    '| `routing.noActionRequiredDelayHours` | `24` | 1m to 672h, or 0 (not at all) |',
    'Also `execution.namespace`, `workflowexecution.config.execution.namespace`. Needs a restart. |',
    '| `budget.paused` | `""` |',
  ])('says %s', (text) => expect(page).toContain(text));
});

test('a table escapes what would end a cell', () => expect(table(['a'], [['x|y\nz']])).toBe('| a |\n| --- |\n| x\\|y z |'));
