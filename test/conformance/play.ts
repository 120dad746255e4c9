import { isObject } from '../../src/base/index.ts';
import { json } from './both.ts';
import { comparableEvent } from './comparable.ts';
import { compare, type Stand } from './compare.ts';
import { differences } from './differences.ts';
import { maskedEvents } from './mask.ts';
import { Memory, requestOf, type Step } from './step.ts';
import { collectionOf, type Subject } from './subjects.ts';
import type { Wire, WireEvent, WireRequest, WireWatch } from './wire.ts';

/** What a sequence is played on. */
export interface Stage extends Stand {
  readonly subject: Subject;
  /** The sequence's own. */
  readonly namespace: string;
}

/** Plays a sequence on both servers and compares every answer, then what watches saw; throws the first difference. */
export async function play(stage: Stage, steps: readonly Step[]): Promise<void> {
  const sides = await Promise.all([enter(stage.both.real, stage), enter(stage.both.ours, stage)]);
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

async function compareStep(stage: Stage, step: Step, sides: readonly [Side, Side]): Promise<void> {
  const [real, ours] = sides.map(({ memory }) => requestOf(step, stage.subject, memory)) as [WireRequest, WireRequest];
  const verb = [step.verb, ...(step.subresource === undefined ? [] : [step.subresource])].join(' ');
  const { answers, found } = await compare(stage, { verb, real, ours });
  sides.forEach(({ memory }, i) => memory.keep(step, answers[i]!));
  if (found.length > 0) throw new Error(found.join('\n'));
}

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
  coverage.add('watch', '-', '200');
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
