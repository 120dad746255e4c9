import { describe, expect, test } from 'vitest';
import type { Read } from '../../kube/client/read.ts';
import type { EvidenceReader } from '../evidence-reader.ts';
import { aCrashingPod, aDeployment } from '../testing/a-deployment.ts';
import { readSurroundings } from './read-surroundings.ts';

const GONE = 'unable to retrieve container logs for containerd://0123abcd';
const text = (value: string): Read<string> => ({ kind: 'value', value });
const UNREADABLE: Read<string> = { kind: 'unreadable', reason: 'forbidden' };

const readerWith = (logs: { readonly previous: Read<string>; readonly present: Read<string> }): EvidenceReader => ({
  fetch: () => Promise.resolve({ kind: 'absent' }),
  fetchList: () => Promise.resolve({ kind: 'value', value: [] }),
  fetchLog: (_, { previous }) => Promise.resolve(previous ? logs.previous : logs.present),
});

describe('the log of a container that failed', () => {
  test.each<{ name: string; previous: Read<string>; present: Read<string>; lines?: readonly string[]; gaps?: RegExp }>([
    { name: 'is that of the run before', previous: text('boom'), present: text('starting'), lines: ['boom'] },
    { name: 'is the present one where the one before is not kept', previous: text(GONE), present: text('starting'), lines: ['starting'] },
    { name: 'is never what stands in its place', previous: text(GONE), present: text(GONE), gaps: /app of pod p1 is not kept by its node/ },
    { name: 'is not kept, whatever the other run says', previous: text(GONE), present: UNREADABLE, gaps: /is not kept by its node/ },
    { name: 'may be empty', previous: text(''), present: text('') },
    { name: 'may be unreadable', previous: UNREADABLE, present: UNREADABLE, gaps: /cannot be read: forbidden/ },
  ])('$name', async ({ previous, present, lines, gaps }) => {
    const around = await readSurroundings({ target: aDeployment(), pods: [aCrashingPod('p1')] }, readerWith({ previous, present }));
    expect(around.logs.map((log) => log.lines)).toEqual(lines ? [lines] : []);
    expect(around.gaps).toEqual(gaps ? [expect.stringMatching(gaps)] : []);
  });
});
