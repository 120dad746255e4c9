import { describe, expect, test } from 'vitest';
import { anExecution } from '../../../testing/builders.ts';
import { variableName } from '../awx-names.ts';
import { CONTEXT_VARIABLES, extraVars, typed } from './extra-vars.ts';

describe('a parameter arrives as what it looks like', () => {
  const cases: readonly { text: string; want: unknown; row?: string; reason?: string }[] = [
    { text: '3', want: 3, row: 'WE-121' },
    { text: '-12', want: -12 },
    { text: '0', want: 0 },
    { text: '007', want: '007', reason: 'leading zeros belong to a code, not to a number' },
    { text: '+3', want: '+3' },
    { text: '9007199254740993', want: '9007199254740993', reason: 'a number could not hold it' },
    { text: 'true', want: true, row: 'WE-122' },
    { text: 'false', want: false },
    { text: 'True', want: 'True' },
    { text: 'yes', want: 'yes' },
    { text: '0.5', want: 0.5, row: 'WE-123' },
    { text: '-1.5e3', want: -1500 },
    { text: '1.', want: '1.' },
    { text: 'NaN', want: 'NaN' },
    { text: 'Infinity', want: 'Infinity' },
    { text: '1.5e999', want: '1.5e999', reason: 'a number could not hold it' },
    { text: '{"a":[1]}', want: { a: [1] }, row: 'WE-124' },
    { text: ' ["x", "y"]', want: ['x', 'y'], row: 'WE-124' },
    { text: '{not json}', want: '{not json}' },
    { text: '[1', want: '[1' },
    { text: '"quoted"', want: '"quoted"', reason: 'JSON, but neither list nor object' },
    { text: 'null', want: 'null' },
    { text: '', want: '' },
    { text: ' 3 ', want: ' 3 ', row: 'WE-125' },
    { text: '512Mi', want: '512Mi', row: 'WE-125' },
    { text: '{{ lookup("env", "TOKEN") }}', want: '{{ lookup("env", "TOKEN") }}' },
  ];
  test.each(cases.filter(({ row }) => row !== undefined))('[$row] $text', ({ text, want }) => expect(typed(text)).toEqual(want));
  test.each(cases.filter(({ row }) => row === undefined))('$text', ({ text, want }) => expect(typed(text)).toEqual(want));
});

describe('the variables of a playbook', () => {
  const parameters = {
    REPLICAS: '3',
    TARGET_RESOURCE_NAME: 'checkout',
    TARGET_RESOURCE_KIND: 'Deployment',
    TARGET_RESOURCE_NAMESPACE: 'shop',
  };
  const execution = anExecution({ spec: { parameters } });

  test('[WE-120] [WE-190] [WE-191] [WE-192] [WE-202] are the parameters, each as what it is', () =>
    expect(extraVars(execution, [])).toMatchObject({ ...parameters, REPLICAS: 3 }));

  test('[WE-126] [WE-193] [WE-194] [WE-195] [WE-196] and for whom it runs, in exactly four variables', () => {
    const { WFE_NAME, WFE_NAMESPACE, RR_NAME, RR_NAMESPACE, ...rest } = extraVars(execution, []);
    expect([WFE_NAME, WFE_NAMESPACE, RR_NAME, RR_NAMESPACE]).toEqual(['we-rr-1', 'sickbay-system', 'rr-1', 'sickbay-system']);
    expect(Object.keys(rest).toSorted()).toEqual(Object.keys(parameters).toSorted());
    expect(CONTEXT_VARIABLES).toHaveLength(4);
  });

  test('[WE-203] TARGET_RESOURCE is not among them', () => expect(extraVars(execution, [])).not.toHaveProperty('TARGET_RESOURCE'));

  test('[WE-127] [WE-197] the entries of ConfigMaps come as they are, under names that a playbook can use', () =>
    expect(extraVars(execution, [{ name: 'play-book.v1', data: { 'max.wait': '5', mode: 'true' } }])).toMatchObject({
      KUBERNAUT_CONFIGMAP_PLAY_BOOK_V1_MAX_WAIT: '5',
      KUBERNAUT_CONFIGMAP_PLAY_BOOK_V1_MODE: 'true',
    }));
});

test.each([
  ['db-login', 'password', 'KUBERNAUT_SECRET_DB_LOGIN_PASSWORD'],
  ['a.b', 'tls.crt', 'KUBERNAUT_SECRET_A_B_TLS_CRT'],
  ['x', 'ключ', 'KUBERNAUT_SECRET_X_____'],
])('anything outside A–Z 0–9 _ becomes _: %s %s', (name, key, want) => expect(variableName('SECRET', name, key)).toBe(want));
