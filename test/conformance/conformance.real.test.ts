import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { controlPlaneLane } from '../../src/testkit/lane.ts';
import { badInputs, BUILTIN_VICTIM, CUSTOM_VICTIM } from './bad-input.ts';
import { json, startBoth, type Both } from './both.ts';
import { BuiltinVerbs } from './builtin-verbs.ts';
import { BUILTIN_OBJECTS, NAMESPACE } from './builtins.ts';
import { compare } from './compare.ts';
import { Coverage } from './coverage.ts';
import { EXAMPLES } from './examples.ts';
import { MASK } from './mask.ts';
import { play } from './play.ts';
import { sequencesOf } from './sequences.ts';
import type { Step } from './step.ts';
import { SUBJECTS } from './subjects.ts';
import { WANTED } from './wanted.ts';

const binaries = process.env[controlPlaneLane.setting] ?? '';
/** How many sequences each kind gets, and where they start; more and others for a longer search. */
const RUNS = Number(process.env['CONFORMANCE_RUNS'] ?? 20);
const SEED = Number(process.env['CONFORMANCE_SEED'] ?? 1);
const MINUTE_MS = 60_000;

describe.skipIf(binaries === '')('answers are those of a real kube-apiserver', () => {
  let both: Both;
  let sequences = 0;
  const coverage = new Coverage();

  beforeAll(async () => {
    both = await startBoth(binaries);
    for (const side of [both.real, both.ours]) await side.send(json('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } }));
  });

  afterAll(async () => {
    process.stdout.write(
      `conformance: seed ${SEED}, ${sequences} sequences, ${coverage.requests} requests compared, ${MASK.length} differences tolerated\n${coverage.text()}\n`,
    );
    await both.close();
  });

  test('at most ten differences are tolerated', () => expect(MASK.length).toBeLessThanOrEqual(10));

  test.each(BUILTIN_OBJECTS.map((builtin) => ({ builtin, title: `${builtin.path.split('/').at(-1)} ${builtin.object.metadata.name}` })))(
    'all verbs: $title',
    async ({ builtin }) => expect(await new BuiltinVerbs({ both, coverage }, builtin).run()).toEqual([]),
    2 * MINUTE_MS,
  );

  describe.each([
    { kind: 'a built-in kind', victim: BUILTIN_VICTIM },
    { kind: 'a kind of ours', victim: CUSTOM_VICTIM },
  ])('bad input about $kind', ({ victim }) => {
    beforeAll(async () => {
      for (const side of [both.real, both.ours]) await side.send(json('POST', victim.path, victim.object));
    });

    test.each(badInputs(victim))('$reason', async ({ verb, request }) => {
      const { found, answers } = await compare({ both, coverage }, { verb, real: request, ours: request });
      expect(found).toEqual([]);
      // Only one thing is wrong each time, so which of several is told first is no excuse.
      const isMasked = request.method === 'HEAD' || request.accept === 'application/*';
      if (!isMasked) expect(answers[1].code).toBe(answers[0].code);
    });
  });

  test.each(SUBJECTS.map((subject, i) => ({ kind: subject.kind, subject, i })))(
    'generated: $kind',
    async ({ subject, i }) => {
      const property = fc.asyncProperty(sequencesOf(subject), (steps) =>
        play({ both, subject, namespace: `seq-${i}-${sequences++}`, coverage }, steps),
      );
      const examples = (EXAMPLES[subject.kind] ?? []).map((steps): [readonly Step[]] => [steps]);
      await fc.assert(property, { seed: SEED, numRuns: RUNS, examples });
    },
    30 * MINUTE_MS,
  );

  test('no verb and no form has gone uncompared', () => expect(coverage.lacking(WANTED)).toEqual([]));
});
