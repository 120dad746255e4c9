import { isObject } from '../../src/base/index.ts';
import { json, type Both } from './both.ts';
import { comparable, comparableEvent } from './comparable.ts';
import type { Coverage } from './coverage.ts';
import { differences } from './differences.ts';
import { masked, maskedEvents, type Exchange } from './mask.ts';
import { Memory, requestOf, type Step } from './step.ts';
import { collectionOf, type Subject } from './subjects.ts';
import type { Wire, WireAnswer, WireEvent, WireRequest, WireWatch } from './wire.ts';

/** What a sequence is played on. */
export interface Stage {
  readonly both: Both;
  readonly subject: Subject;
  /** The sequence's own. */
  readonly namespace: string;
  readonly coverage: Coverage;
}

/** Plays a sequence on both servers and compares every answer, then what watches saw; throws the first difference. */
export async function play(stage: Stage, steps: readonly Step[]): Promise<void> {
  const sides = await Promise.all([stage.both.real, stage.both.ours].map((wire) => enter(wire, stage)));
  try {
    for (const step of steps) await compareStep(stage, step, sides);
    await compareWatches(stage, sides);
  } finally {
    for (const { watches } of sides) watches.forEach((watch) => watch.stop());
  }
}

/** One server in a sequence. */
interface Side {
  readonly wire: Wire;
  readonly memory: Memory;
  readonly watches: WireWatch[];
}

async function enter(wire: Wire, { namespace, subject }: Stage): Promise<Side> {
  await wire.send(json('POST', '/api/v1/namespaces', { metadata: { name: namespace } }));
  const path = collectionOf(subject, namespace);
  const watches = [];
  for (const labelSelector of watchSelectors(subject, namespace))
    watches.push(await wire.watch({ method: 'GET', path, query: { labelSelector } }));
  return { wire, memory: new Memory(namespace), watches };
}

/** Everything, and a part that objects come into and go out of. */
const watchSelectors = ({ namespaced }: Subject, namespace: string): readonly string[] =>
  namespaced ? ['', 'x=1'] : [`seq=${namespace}`, `seq=${namespace},x=1`];

async function compareStep({ subject, coverage }: Stage, step: Step, sides: readonly Side[]): Promise<void> {
  const asked: WireRequest[] = [];
  const answers = [];
  for (const { wire, memory } of sides) {
    const request = requestOf(step, subject, memory);
    const answer = await wire.send(request);
    memory.keep(step, answer);
    asked.push(request);
    answers.push(answer);
  }
  const [real, ours] = answers.map(comparable) as [ReturnType<typeof comparable>, ReturnType<typeof comparable>];
  coverage.add(
    [step.verb, ...(step.subresource === undefined ? [] : [step.subresource])].join(' '),
    step.type,
    [real.code, real.reason ?? ''].join(' ').trim(),
  );
  const found = differencesIn({ request: asked[0]!, real, ours });
  if (found.length === 0) return;
  throw new Error([`${JSON.stringify(asked[0])} differs:`, ...found, ...answers.map(messageOf)].join('\n  '));
}

function differencesIn(exchange: Exchange): readonly string[] {
  const { real, ours } = masked(exchange);
  return differences(real, ours);
}

/** What was said, for whoever looks into a difference. */
const messageOf = ({ code, body }: WireAnswer, i: number): string =>
  `${i === 0 ? 'real' : 'ours'} said ${code}: ${isObject(body) ? String(body['message'] ?? body['kind']) : String(body)}`;

const LAST = 'zz-last';

/** An object that all watches must see marks the end; a watch that starts late sees what came after its start. */
async function compareWatches({ subject, namespace, coverage }: Stage, sides: readonly Side[]): Promise<void> {
  const name = subject.namespaced ? LAST : `${namespace}-${LAST}`;
  const path = collectionOf(subject, namespace);
  const seen = await Promise.all(
    sides.map(async ({ wire, memory, watches }) => {
      const resourceVersion = memory.fill('{{first}}');
      if (resourceVersion !== '')
        watches.push(
          await wire.watch({ method: 'GET', path, query: { resourceVersion, labelSelector: watchSelectors(subject, namespace)[0]! } }),
        );
      await wire.send(json('POST', path, lastObject(subject, name, namespace)));
      return Promise.all(watches.map(async (watch) => (await watch.until((event) => isNamed(event, name))).map(comparableEvent)));
    }),
  );
  coverage.add('watch', undefined, '200');
  const [real, ours] = seen;
  const [first] = real?.[0] ?? [];
  const found = differences(
    real?.map((events, i) => maskedEvents(events, i === 2 ? first : undefined)),
    ours,
  );
  if (found.length > 0) throw new Error(['watches differ:', ...found].join('\n  '));
}

function lastObject({ apiVersion, kind, good }: Subject, name: string, namespace: string): unknown {
  const body = JSON.parse(JSON.stringify(good[0]).replaceAll('{{ns}}', namespace)) as object;
  return { apiVersion, kind, metadata: { name, labels: { x: '1', seq: namespace } }, ...body };
}

const isNamed = ({ object }: WireEvent, name: string): boolean =>
  isObject(object) && isObject(object.metadata) && object.metadata.name === name;
