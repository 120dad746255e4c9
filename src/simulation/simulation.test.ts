import { describe, expect, test } from 'vitest';
import { ConfigMap } from '../api/builtin/index.ts';
import { after, messageOf, SECOND } from '../base/index.ts';
import { createClient } from '../kube/client/api-client.ts';
import { noFaults, type AmbientFault, type FaultSource, type RequestFault, type WatchFault } from './fault.ts';
import type { ReplicaEnv } from './replica.ts';
import { Simulation } from './simulation.ts';

const KEY = { namespace: 'default', name: 'note' };
const draft = { apiVersion: 'v1', kind: 'ConfigMap', metadata: KEY } as const;
const forever = (): Promise<void> => new Promise(() => {});

/** A process that does `what` once per life and then stands by; the log says what it saw. */
function oneProcess(
  faults: FaultSource,
  what: (env: ReplicaEnv, log: string[]) => Promise<void>,
): { simulation: Simulation; log: string[] } {
  const simulation = new Simulation({ seed: 1, faults });
  const log: string[] = [];
  simulation.addReplica('r1', async (env) => {
    await what(env, log);
    await forever();
  });
  return { simulation, log };
}

const write = async (env: ReplicaEnv, log: string[]): Promise<void> => {
  log.push('sends');
  try {
    await createClient(env.transport).create(ConfigMap, draft);
    log.push('created');
  } catch (error) {
    log.push(messageOf(error));
  }
};

const atFirstWrite = (fault: RequestFault): FaultSource => ({
  ...noFaults,
  onRequest: (point) => (point.verb === 'write' && point.index === 1 ? fault : undefined),
});

const run = (simulation: Simulation, ms: number): Promise<unknown> =>
  simulation.run({ settled: () => false, faultsForMs: ms, deadlineMs: ms });

describe('a write that goes wrong', () => {
  const cases: readonly { name: string; fault: RequestFault; saw: readonly string[]; committed: boolean }[] = [
    { name: 'dies before it leaves', fault: { kind: 'CrashBefore' }, saw: ['sends', 'sends', 'created'], committed: true },
    {
      name: 'is committed, then its sender dies',
      fault: { kind: 'CrashAfter' },
      saw: ['sends', 'sends', 'configmaps "note" already exists'],
      committed: true,
    },
    {
      name: 'is committed, its reply is lost',
      fault: { kind: 'LostReply' },
      saw: ['sends', 'the connection broke before an answer came'],
      committed: true,
    },
    {
      name: 'never arrives',
      fault: { kind: 'LostRequest' },
      saw: ['sends', 'the connection broke before an answer came'],
      committed: false,
    },
    { name: 'is refused', fault: { kind: 'Refuse', code: 429 }, saw: ['sends', 'TooManyRequests (injected)'], committed: false },
    { name: 'is late', fault: { kind: 'Delay', ms: 3_000 }, saw: ['sends', 'created'], committed: true },
    { name: 'leaves after a standstill', fault: { kind: 'Freeze', ms: 3_000 }, saw: ['sends', 'created'], committed: true },
  ];
  test.each(cases)('$name', async ({ fault, saw, committed }) => {
    const { simulation, log } = oneProcess(atFirstWrite(fault), write);
    await simulation.follow(ConfigMap);
    await run(simulation, 20 * SECOND);
    expect(log.map((line) => line.replace(/^creating .*?: /, ''))).toEqual(saw.map((line) => expect.stringContaining(line) as unknown));
    expect(simulation.mirror.get(ConfigMap, KEY) !== undefined).toBe(committed);
    expect(simulation.injected.map(({ point }) => point)).toEqual(['r1 write 1']);
  });

  test('a late request arrives even if its sender has died', async () => {
    const late = { ...atFirstWrite({ kind: 'Delay', ms: 8_000 }), onBeat: atBeat(2, { kind: 'Crash', replica: 'r1' }) };
    const { simulation, log } = oneProcess(late, async (env, lines) => {
      if (lines.length === 0) await write(env, lines);
    });
    await simulation.follow(ConfigMap);
    await run(simulation, 20 * SECOND);
    expect(log).toEqual(['sends']);
    expect(simulation.mirror.get(ConfigMap, KEY)).toBeDefined();
  });
});

const atBeat = (index: number, fault: AmbientFault) => (point: { index: number }) => (point.index === index ? fault : undefined);

describe('what goes wrong by itself', () => {
  test('in an outage nothing is answered, afterwards everything is', async () => {
    const { simulation, log } = oneProcess({ ...noFaults, onBeat: atBeat(1, { kind: 'Outage', ms: 4_000 }) }, async (env, lines) => {
      for (let i = 0; i < 3; i++) {
        await write(env, lines);
        await env.clock.waitUntil(after(env.clock.now(), 3 * SECOND), env.signal);
      }
    });
    await run(simulation, 20 * SECOND);
    expect(log.filter((line) => line !== 'sends').map((line) => line.includes('connection broke'))).toEqual([true, true, false]);
  });

  test('an outage within a longer one does not end it', async () => {
    const onBeat: FaultSource['onBeat'] = ({ index }) => (index <= 2 ? { kind: 'Outage', ms: index === 1 ? 15_000 : 1_000 } : undefined);
    const { simulation, log } = oneProcess({ ...noFaults, onBeat }, async (env, lines) => {
      await env.clock.waitUntil(after(env.clock.now(), 10 * SECOND), env.signal);
      await write(env, lines);
    });
    await run(simulation, 20 * SECOND);
    expect(log).toEqual(['sends', 'the connection broke before an answer came']);
  });

  test('a clock that jumps tells another time, but a timer takes as long as it takes', async () => {
    const { simulation, log } = oneProcess(
      { ...noFaults, onBeat: atBeat(2, { kind: 'ClockJump', replica: 'r1', ms: 60_000 }) },
      async (env, lines) => {
        const began = { clock: env.clock.now(), steady: env.steady.now() };
        await env.steady.waitUntil(after(env.steady.now(), 7 * SECOND), env.signal);
        lines.push(`${env.steady.now() - began.steady} steady, ${env.clock.now() - began.clock} by the clock`);
      },
    );
    await run(simulation, 20 * SECOND);
    expect(log).toEqual(['7000 steady, 67000 by the clock']);
  });

  test('a frozen process does not notice; its timers come late', async () => {
    const { simulation, log } = oneProcess(
      { ...noFaults, onBeat: atBeat(1, { kind: 'Freeze', replica: 'r1', ms: 9_000 }) },
      async (env, lines) => {
        const began = env.clock.now();
        await env.clock.waitUntil(after(began, SECOND), env.signal);
        lines.push(String(env.clock.now() - began));
      },
    );
    await run(simulation, 20 * SECOND);
    expect(log).toEqual(['9000']);
  });
});

describe('a watch that goes wrong', () => {
  /** Follows ConfigMaps once, without resuming, and notes the names; a person writes one every second. */
  async function follow(fault: WatchFault): Promise<readonly string[]> {
    const faults = { ...noFaults, onEvents: ({ index }: { index: number }) => (index === 2 ? fault : undefined) };
    const { simulation, log } = oneProcess(faults, async (env, lines) => {
      for await (const batch of await createClient(env.transport).watch(
        ConfigMap,
        { namespace: 'default', resourceVersion: simulation.api.resourceVersion },
        env.signal,
      )) {
        for (const { type, object } of batch)
          lines.push(`${env.steady.now() - begun < 6_500 ? '' : 'late '}${type} ${object.metadata.name ?? ''}`.trim());
      }
      lines.push('end');
    });
    const begun = simulation.time.now();
    for (const i of [1, 2, 3]) {
      simulation.later(i * SECOND, 'person', async () => {
        await simulation.admin.create(ConfigMap, { ...draft, metadata: { namespace: 'default', name: `n${i}` } });
      });
    }
    await run(simulation, 20 * SECOND);
    return log;
  }

  test('late: nothing overtakes it', async () => {
    expect(await follow({ kind: 'LateEvents', ms: 5_000 })).toEqual(['ADDED n1', 'late ADDED n2', 'late ADDED n3']);
  });

  test('hidden: the stream goes on, and ends with 410', async () => {
    expect(await follow({ kind: 'HiddenEvents', ms: 3_000 })).toEqual(['ADDED n1', 'ADDED n3', 'ERROR', 'end']);
  });

  test('dropped: the stream continues, silently', async () => {
    expect(await follow({ kind: 'DroppedEvents' })).toEqual(['ADDED n1', 'ADDED n3']);
  });

  test('broken: the stream ends', async () => {
    expect(await follow({ kind: 'Disconnect' })).toEqual(['ADDED n1', 'end']);
  });
});

describe('invariants', () => {
  test('stop the run at the step that breaks them', async () => {
    const { simulation } = oneProcess(noFaults, write);
    await simulation.follow(ConfigMap);
    simulation.require({
      name: 'no notes',
      check: (mirror) => (mirror.all(ConfigMap).some(({ metadata }) => metadata.name === 'note') ? 'there is one' : undefined),
    });
    await run(simulation, 20 * SECOND);
    expect(simulation.violations).toEqual(['no notes: there is one']);
    expect(simulation.journal.lines().at(-1)).toContain('no notes: there is one');
  });

  test('a process that ends with an error is a violation', async () => {
    const { simulation } = oneProcess(noFaults, () => Promise.reject(new Error('out of ideas')));
    await run(simulation, SECOND);
    expect(simulation.violations).toEqual(['r1 ended: out of ideas']);
  });
});
