import { describe, expect, test } from 'vitest';
import { ConnectionState } from './connection-state.ts';

function begin() {
  const told: string[] = [];
  return { told, state: new ConnectionState((news) => told.push(news)) };
}
function watching() {
  const begun = begin();
  begun.state.watching();
  begun.told.length = 0;
  return begun;
}

test('nothing is visible before the first watch, and the first watch is reported', () => {
  const { told, state } = begin();
  expect(state.problem).toBe('its Nodes have not been listed yet');
  state.watching();
  expect(state.problem).toBeUndefined();
  expect(told).toEqual(['seen']);
});

describe('a watch that fails', () => {
  test('refuses reads at once, and is reported when it fails again', () => {
    const { told, state } = watching();
    state.watchFailed('reset');
    expect(state.problem).toBe('reset');
    expect(told).toEqual([]);
    state.watchFailed('refused');
    state.watchFailed('refused');
    expect(state.problem).toBe('refused');
    expect(told).toEqual(['unseen']);
    state.watching();
    expect(told).toEqual(['unseen', 'seen']);
  });

  test('and comes back before a reader noticed is not reported', () => {
    const { told, state } = watching();
    state.watchFailed('reset');
    state.watching();
    expect(told).toEqual([]);
  });

  test('and refused a read is reported when it comes back', () => {
    const { told, state } = watching();
    state.watchFailed('reset');
    state.requireNotification();
    state.watching();
    expect(told).toEqual(['seen']);
  });
});

describe('a server that does not answer', () => {
  test('counts although the watch is silent, and is reported at once', () => {
    const { told, state } = watching();
    state.silent('timeout');
    state.silent('timeout');
    expect(state.problem).toBe('timeout');
    expect(told).toEqual(['unseen']);
    state.answered();
    expect(state.problem).toBeUndefined();
    expect(told).toEqual(['unseen', 'seen']);
  });

  test('is not over before the watch works again', () => {
    const { told, state } = watching();
    state.silent('timeout');
    state.watchFailed('reset');
    state.answered();
    expect(state.problem).toBe('reset');
    state.watching();
    expect(told).toEqual(['unseen', 'seen']);
  });

  test('an answer on a good day is no news', () => {
    const { told, state } = watching();
    state.answered();
    expect(told).toEqual([]);
  });
});
