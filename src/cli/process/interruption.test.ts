import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { Interruption, interruptions, type Interruptible } from './interruption.ts';

class FakeProcess extends EventEmitter {
  readonly stdout = new EventEmitter();
  readonly stderr = new EventEmitter();
}

function setUp() {
  const fake = new FakeProcess();
  return { fake, stop: interruptions(fake as unknown as Interruptible) };
}

describe('an interruption', () => {
  test.each([
    { signal: 'SIGINT', exitCode: 130 },
    { signal: 'SIGTERM', exitCode: 143 },
    { signal: 'SIGHUP', exitCode: 129 },
  ])('by $signal ends with $exitCode, and the next one is not heard', ({ signal, exitCode }) => {
    const { fake, stop } = setUp();
    expect(stop.aborted).toBe(false);
    fake.emit(signal);
    expect(stop.reason).toBeInstanceOf(Interruption);
    expect(stop.reason).toMatchObject({ message: signal, exitCode });
    expect(fake.listenerCount(signal), 'so that Node’s own answer counts, which is to end').toBe(0);
  });

  test.each(['stdout', 'stderr'] as const)('is a closed %s, as often as that is noticed', (output) => {
    const { fake, stop } = setUp();
    fake[output].emit('error', new Error('write EPIPE'));
    fake[output].emit('error', new Error('write EPIPE'));
    expect(stop.reason).toMatchObject({ message: 'SIGPIPE', exitCode: 141 });
  });

  test('the first reason counts', () => {
    const { fake, stop } = setUp();
    fake.emit('SIGTERM');
    fake.emit('SIGINT');
    expect(stop.reason).toMatchObject({ message: 'SIGTERM' });
  });
});
