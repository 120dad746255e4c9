import { changedCases } from './changed/index.ts';
import type { CorpusCase } from './corpus-case.ts';
import type { Fault } from './fault.ts';
import { FAULTS } from './faults/index.ts';
import { readRecording } from './recordings.ts';
import { WRITTEN } from './written/index.ts';

/** All of the corpus. */
export const corpusCases = (): readonly CorpusCase[] => [...FAULTS.flatMap(recordedCase), ...changedCases(), ...WRITTEN];

function recordedCase({ name, alert, expected, misleading, alertsAt }: Fault): readonly CorpusCase[] {
  const recording = readRecording(name);
  if (!recording) return [];
  return [
    {
      name,
      origin: 'recorded',
      recording,
      alert,
      expected,
      ...(misleading !== undefined && { misleading }),
      ...(alertsAt && { alertsAt }),
    },
  ];
}
