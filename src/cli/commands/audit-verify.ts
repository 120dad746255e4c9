import { PlatformError } from '../../base/index.ts';
import {
  isDatabaseUrl,
  keyPathOf,
  readCheckpoints,
  verifyAny,
  type Checkpoint,
  type KeptCheckpoints,
  type Verification,
} from '../../store/index.ts';
import type { VerifyFlags } from './audit-commands.ts';
import { trailName } from './audit-show.ts';

type Print = (line: string) => void;

const NONE: KeptCheckpoints = { checkpoints: [], problems: [] };

/** Verifies a trail, and prints what was found; true when every event fits. */
export async function auditVerify(trail: string, { key, checkpoints, output }: VerifyFlags, print: Print): Promise<boolean> {
  if (key === undefined && isDatabaseUrl(trail))
    throw new PlatformError('Invalid', 'a trail in PostgreSQL needs --key: the file that Sickbay has as --audit-key', { retry: 'never' });
  const { checkpoints: kept, problems } = checkpoints === undefined ? NONE : readCheckpoints(checkpoints);
  if (kept.length === 0 && problems[0] !== undefined) throw new PlatformError('Invalid', problems[0], { retry: 'never' });
  const verification = await verifyAny({ path: trail, keys: key ?? keyPathOf(trail) }, kept);
  const isVerified = verification.findings.length === 0;
  const name = trailName(trail);
  if (output === 'json') print(JSON.stringify({ trail: name, verified: isVerified, ...verification, skipped: problems }, undefined, 2));
  else {
    for (const line of verificationLines(name, verification, kept)) print(line);
    for (const problem of problems) print(`  ${'skipped'.padEnd(12)} ${problem}`);
  }
  return isVerified;
}

export const counted = (count: number, one: string): string => `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;

/** What is proved and what is not. */
function verificationLines(trail: string, found: Verification, kept: readonly Checkpoint[]): readonly string[] {
  const { findings, events, adopted, end } = found;
  const size = counted(events, 'event');
  const verdict =
    findings.length === 0 ? `verified: ${size}, none changed, none missing between them` : `TAMPERED WITH: see below; ${size}`;
  return [
    `${trail}: ${verdict}`,
    ...findings.map(({ kind, message }) => `  ${kind.padEnd(12)} ${message}`),
    ...(end ? [`  ${'last event'.padEnd(12)} ${end.sequence}, hash ${end.hash}`] : []),
    `  ${'end'.padEnd(12)} ${endOf(found, kept)}`,
    ...(adopted === 0
      ? []
      : [
          `  ${'adopted'.padEnd(12)} ${counted(adopted, 'event')} recorded before the trail had a chain: what happened to them before is not proved`,
        ]),
  ];
}

function endOf({ checkpoint, end, findings }: Verification, kept: readonly Checkpoint[]): string {
  if (kept.length === 0) return 'not proved: without a checkpoint that was kept elsewhere, later events may be missing';
  if (!checkpoint)
    return findings.length > 0 ? 'not proved: something before it does not fit' : 'not proved: it fits none of the checkpoints';
  const later = (end?.sequence ?? 0) - checkpoint.sequence;
  const proved = `complete up to event ${checkpoint.sequence}, by the checkpoint of ${checkpoint.at}`;
  return later === 0 ? proved : `${proved}; ${counted(later, 'event')} since then`;
}
