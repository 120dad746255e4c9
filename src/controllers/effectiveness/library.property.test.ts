import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConfigMap } from '../../api/builtin/index.ts';
import { aConfigMap, given, mounting, value } from '../target/testing/builders.ts';
import { fingerprint, improvementOf, overallScore, scoreAlert, scoreHealth, scoreMetrics, specHash } from './library.ts';
import { aPod, at, time } from './testing/builders.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const SETTINGS = { seed: 25, numRuns: 300 };

const scalar = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string({ maxLength: 6 }));
const key = fc.constantFrom('name', 'image', 'env', 'replicas', 'a', 'b', '__proto__x');
const { spec } = fc.letrec<{ value: Json; spec: Readonly<Record<string, Json>> }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, fc.array(tie('value'), { maxLength: 4 }), tie('spec')),
  spec: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
}));

const hash = (of: Json): string => specHash({ apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' }, spec: of } as never);

/** The same with members and elements in other places, by numbers that come from `next`. */
function mixed(part: Json, next: () => number): Json {
  const turned = <T>(items: readonly T[]): readonly T[] =>
    items
      .map((item) => ({ item, place: next() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ item }) => item);
  if (Array.isArray(part)) return turned(part.map((element: Json) => mixed(element, next)));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(turned(Object.entries(part)).map(([name, member]) => [name, mixed(member as Json, next)]));
}

/** Where its scalars are. */
function scalarsIn(part: Json, path: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] {
  if (Array.isArray(part)) return part.flatMap((element: Json, index) => scalarsIn(element, [...path, index]));
  if (typeof part !== 'object' || part === null) return [path];
  return Object.entries(part).flatMap(([name, member]) => scalarsIn(member as Json, [...path, name]));
}

function withScalar(part: Json, [first, ...rest]: readonly (string | number)[], to: Json): Json {
  if (first === undefined) return to;
  if (Array.isArray(part)) return part.map((element: Json, index) => (index === first ? withScalar(element, rest, to) : element));
  const members = part as Readonly<Record<string, Json>>;
  return { ...members, [first]: withScalar(members[first] ?? null, rest, to) };
}

const at0 = (part: Json, path: readonly (string | number)[]): Json =>
  path.reduce<Json>((inner, step) => (inner as Readonly<Record<string | number, Json>>)[step] ?? null, part);

describe('the hash of any spec', () => {
  test('[EM-208, EM-209] stays as it is when members and elements change places, however deep', () =>
    fc.assert(
      fc.property(spec, fc.infiniteStream(fc.nat()), (one, places) => {
        expect(hash(mixed(one, () => places.next().value as number))).toBe(hash(one));
      }),
      SETTINGS,
    ));

  test('[EM-210] changes with any one of its scalars', () => {
    let changed = 0;
    fc.assert(
      fc.property(spec, fc.nat(), scalar, (one, which, to) => {
        const places = scalarsIn(one);
        const place = places[which % Math.max(1, places.length)];
        if (!place || Object.is(at0(one, place), to)) return;
        changed++;
        expect(hash(withScalar(one, place, to))).not.toBe(hash(one));
      }),
      SETTINGS,
    );
    expect(changed).toBeGreaterThan(100);
  });
});

describe('the fingerprint of any target', () => {
  const entries = fc.dictionary(fc.stringMatching(/^[-._a-zA-Z0-9]{1,8}$/), fc.string({ maxLength: 8 }), { maxKeys: 4 });
  const content = fc.record({ data: entries, binaryData: entries });
  const of = (held: Pick<ConfigMap, 'data' | 'binaryData'>): string =>
    fingerprint(given(mounting('settings'), { settings: value({ ...aConfigMap(), ...held }) })).specHash;

  test.each(['data', 'binaryData'] as const)('[EM-183, EM-186] changes with any entry of %s of a ConfigMap', (field) =>
    fc.assert(
      fc.property(content, fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ maxLength: 8 }), (held, name, text) => {
        const { [name]: _, ...others } = held[field];
        const without = of({ ...held, [field]: others });
        const withIt = of({ ...held, [field]: { ...others, [name]: text } });
        const withAnother = of({ ...held, [field]: { ...others, [name]: `${text}!` } });
        expect(new Set([without, withIt, withAnother]).size).toBe(3);
      }),
      SETTINGS,
    ),
  );
});

describe('any score', () => {
  const isScore = (score: number | undefined): void => {
    if (score !== undefined) expect([score >= 0, score <= 1]).toEqual([true, true]);
  };
  const moment = fc.integer({ min: -3_600_000, max: 3_600_000 });
  const container = fc.record({
    ready: fc.boolean(),
    restartCount: fc.nat(9),
    state: fc.constantFrom({}, { waiting: { reason: 'CrashLoopBackOff' } }, { running: { startedAt: time(0) } }),
    lastState: fc.oneof(
      fc.constant({}),
      fc.tuple(moment, fc.constantFrom('OOMKilled', 'Error')).map(([ms, reason]) => ({
        terminated: { exitCode: 137, reason, finishedAt: time(ms) },
      })),
    ),
  });
  const pod = fc
    .record({ ready: fc.boolean(), deleted: fc.boolean(), phase: fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed'), container })
    .map(({ phase, ...options }) => aPod('a', { ...options, phase: phase as 'Running' }));

  test('of health lies within 0 and 1, or is none', () =>
    fc.assert(
      fc.property(fc.nat(4), fc.array(pod, { maxLength: 4 }), fc.option(moment), fc.boolean(), (desired, pods, since, scalesToZero) => {
        const { score, message } = scoreHealth({ desired, pods, since: since === null ? undefined : at(since), scalesToZero });
        isScore(score);
        expect(message).not.toBe('');
        if (score === undefined) expect([desired, scalesToZero]).toEqual([0, true]);
      }),
      SETTINGS,
    ));

  const number = fc.double();
  const direction = fc.constantFrom('lower' as const, 'higher' as const);

  test('of a metric lies within 0 and 1, or is none, whatever was measured', () =>
    fc.assert(
      fc.property(number, number, direction, (pre, post, isBetter) => isScore(improvementOf(pre, post, isBetter))),
      { ...SETTINGS, numRuns: 2_000 },
    ));

  test('of metrics lies within 0 and 1, or is none, whatever was measured', () => {
    const sample = fc.record({ at: moment.map((ms) => at(ms)), value: number });
    const metric = fc.record({ name: fc.constant('CPU'), query: fc.constant('cpu'), isBetter: direction });
    const measured = fc.record({ metric, samples: fc.array(sample, { maxLength: 4 }) });
    fc.assert(
      fc.property(fc.array(measured, { maxLength: 4 }), (all) => {
        const found = scoreMetrics(all, { faultFrom: at(-3_000_000), faultTo: at(0), from: at(300_000) });
        isScore(found.kind === 'compared' ? found.score : undefined);
      }),
      SETTINGS,
    );
  });

  test('[EM-143] of alerts is 0 or 1', () =>
    fc.assert(
      fc.property(fc.array(fc.record({ labels: fc.constant({}), state: fc.string() }), { maxLength: 3 }), (alerts) => {
        expect(scoreAlert(alerts)).toBe(alerts.length === 0 ? 1 : 0);
      }),
      SETTINGS,
    ));

  test('in all lies within 0 and 1, or is none where nothing is scored', () => {
    const one = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined });
    fc.assert(
      fc.property(fc.record({ healthScore: one, alertScore: one, metricsScore: one }), (scores) => {
        const components = Object.fromEntries(Object.entries(scores).filter(([, score]) => score !== undefined));
        const overall = overallScore(components, 'Full');
        isScore(overall);
        expect(overall === undefined).toBe(Object.keys(components).length === 0);
      }),
      SETTINGS,
    );
  });
});
