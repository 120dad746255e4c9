import { describe, expect, test } from 'vitest';
import { Standing } from './connection-state.ts';

function begin() {
  const told: string[] = [];
  return { told, standing: new Standing((news) => told.push(news)) };
}
function watching() {
  const begun = begin();
  begun.standing.watching();
  begun.told.length = 0;
  return begun;
}

test('nothing can be seen before the first watch, and that it can is told', () => {
  const { told, standing } = begin();
  expect(standing.problem).toBe('its Nodes have not been listed yet');
  standing.watching();
  expect(standing.problem).toBeUndefined();
  expect(told).toEqual(['seen']);
});

describe('a watch that fails', () => {
  test('turns readers away at once, and is told of when it fails again', () => {
    const { told, standing } = watching();
    standing.watchFailed('reset');
    expect(standing.problem).toBe('reset');
    expect(told).toEqual([]);
    standing.watchFailed('refused');
    standing.watchFailed('refused');
    expect(standing.problem).toBe('refused');
    expect(told).toEqual(['unseen']);
    standing.watching();
    expect(told).toEqual(['unseen', 'seen']);
  });

  test('and comes back before anybody noticed is no news', () => {
    const { told, standing } = watching();
    standing.watchFailed('reset');
    standing.watching();
    expect(told).toEqual([]);
  });

  test('and turned somebody away tells them when it comes back', () => {
    const { told, standing } = watching();
    standing.watchFailed('reset');
    standing.owe();
    standing.watching();
    expect(told).toEqual(['seen']);
  });
});

describe('a server that does not answer', () => {
  test('counts although the watch says nothing, and is told of at once', () => {
    const { told, standing } = watching();
    standing.silent('timeout');
    standing.silent('timeout');
    expect(standing.problem).toBe('timeout');
    expect(told).toEqual(['unseen']);
    standing.answered();
    expect(standing.problem).toBeUndefined();
    expect(told).toEqual(['unseen', 'seen']);
  });

  test('is not all well again before the watch is', () => {
    const { told, standing } = watching();
    standing.silent('timeout');
    standing.watchFailed('reset');
    standing.answered();
    expect(standing.problem).toBe('reset');
    standing.watching();
    expect(told).toEqual(['unseen', 'seen']);
  });

  test('an answer on a good day is no news', () => {
    const { told, standing } = watching();
    standing.answered();
    expect(told).toEqual([]);
  });
});
