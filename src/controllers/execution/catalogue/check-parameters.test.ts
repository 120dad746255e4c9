import { describe, expect, test } from 'vitest';
import { aParameter, type Declaration } from '../testing/a-workflow.ts';
import { parameterFault } from './check-parameters.ts';

interface Case {
  readonly name: string;
  readonly declared: readonly Declaration[];
  readonly given: Readonly<Record<string, string>>;
  readonly says?: string;
  readonly advice?: string;
}

const number = aParameter('REPLICAS', { type: 'integer', minimum: 1, maximum: 50 });
const fitting: readonly Case[] = [
  { name: 'a declared one', declared: [aParameter('REVISION')], given: { REVISION: '1' } },
  { name: 'an optional one that is left out', declared: [aParameter('REVISION')], given: {} },
  { name: 'the least', declared: [number], given: { REPLICAS: '1' } },
  { name: 'the most', declared: [number], given: { REPLICAS: '50' } },
  { name: 'one of the listed', declared: [aParameter('STATE', { enum: ['a', 'b'] })], given: { STATE: 'b' } },
  { name: 'one that matches', declared: [aParameter('LIMIT', { pattern: '^[0-9]+(Mi|Gi)$' })], given: { LIMIT: '512Mi' } },
  { name: 'one with a default, given', declared: [aParameter('LIMIT', { default: '1Gi' })], given: { LIMIT: '1Gi' } },
  {
    name: 'two that go together',
    declared: [aParameter('KEY', { dependsOn: ['VALUE'] }), aParameter('VALUE')],
    given: { KEY: 'k', VALUE: 'v' },
  },
];

const unfit: readonly Case[] = [
  {
    name: 'undeclared',
    declared: [aParameter('REVISION')],
    given: { REVISION: '1', LD_PRELOAD: '/x', EXTRA: '' },
    says: 'does not declare EXTRA, LD_PRELOAD',
    advice: 'It takes REVISION',
  },
  { name: 'one that every object inherits', declared: [aParameter('A')], given: { constructor: 'x' }, says: 'constructor' },
  { name: 'required and absent', declared: [aParameter('REVISION', { required: true })], given: {}, says: 'REVISION is required' },
  { name: 'of another type', declared: [number], given: { REPLICAS: 'many' }, says: 'REPLICAS=many is no integer' },
  { name: 'below the least', declared: [number], given: { REPLICAS: '0' }, says: 'REPLICAS=0 is less than 1' },
  { name: 'above the most', declared: [number], given: { REPLICAS: '51' }, says: 'REPLICAS=51 is more than 50' },
  { name: 'not listed', declared: [aParameter('STATE', { enum: ['a', 'b'] })], given: { STATE: 'c' }, says: 'STATE=c is none of a, b' },
  {
    name: 'of another form',
    declared: [aParameter('LIMIT', { pattern: '[0-9]+Mi' })],
    given: { LIMIT: 'x' },
    says: 'does not match [0-9]+Mi',
  },
  {
    name: 'without its companion',
    declared: [aParameter('KEY', { dependsOn: ['VALUE'] }), aParameter('VALUE')],
    given: { KEY: 'k' },
    says: 'KEY must be given together with VALUE',
  },
  {
    name: 'with a default that the approved plan does not have',
    declared: [aParameter('LIMIT', { default: '1Gi' }), aParameter('COUNT', { type: 'integer', required: true, default: 3 })],
    given: {},
    says: 'LIMIT, COUNT is not given',
    advice: 'Plan it with LIMIT=1Gi, COUNT=3.',
  },
];

describe('the parameters of a plan', () => {
  test.each(fitting)('$name: fits', ({ declared, given }) => expect(parameterFault(declared, given)).toBeUndefined());

  test.each(unfit)('$name: does not', ({ declared, given, says = '', advice = '' }) => {
    const fault = parameterFault(declared, given);
    expect(fault?.message).toContain(says);
    expect(fault?.advice).toContain(advice);
  });
});
