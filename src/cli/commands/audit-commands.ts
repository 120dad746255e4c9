import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseTime, toTime } from '../../base/index.ts';
import { someText, wholeNumber } from './option-values.ts';

/** The options of `sickbay audit verify`. */
export interface VerifyFlags {
  readonly key?: string;
  readonly checkpoints?: string;
  readonly output: 'text' | 'json';
}

/** Which events. */
export interface EventFlags {
  readonly remediation?: string;
  readonly type?: string;
  readonly since?: string;
}

export interface ShowFlags extends EventFlags {
  readonly limit: number;
  readonly output: 'text' | 'json';
}

/** The options of `sickbay audit adopt`. */
export interface AdoptFlags {
  readonly key?: string;
}

export interface AuditActions {
  auditVerify(trail: string | undefined, flags: VerifyFlags): Promise<void> | void;
  auditExport(trail: string | undefined, flags: EventFlags): Promise<void> | void;
  auditShow(trail: string | undefined, flags: ShowFlags): Promise<void> | void;
  auditCheckpoint(trail: string | undefined): Promise<void> | void;
  auditAdopt(file: string, flags: AdoptFlags): Promise<void> | void;
}

const TRAIL = 'file of the trail (audit.db), which Sickbay may be writing, an export of it, or postgres://…; $DATABASE_URL when absent';

const AFTER_VERIFY = `
Exit code: 0 when every event fits; 2 when the trail was tampered with, and the
output says where; 1 when it could not be verified.

Without checkpoints that were kept elsewhere it cannot be known whether events
are missing at the end, or whether a person with the key rewrote the trail.`;

const AFTER_ADOPT = `
A Sickbay that is started with such a trail does so by itself where there is no
key file. Where there is one the trail may have had a chain, which a person
removed together with what it proved: compare with a backup first.`;

/** Adds `sickbay audit verify`, `export`, `show`, `checkpoint` and `adopt`. */
export function addAudit(sickbay: Command, actions: AuditActions): void {
  const audit = sickbay.command('audit').description('verify, export or show an audit trail');
  audit
    .command('verify')
    .argument('[trail]', TRAIL, someText)
    .description('verify that no event of an audit trail was changed, deleted, moved or made up')
    .option('--key <file>', 'its keys; TRAIL.key when absent, which is for files only', someText)
    .option('--checkpoints <file>', 'checkpoints that were kept elsewhere, one JSON object per line', someText)
    .addOption(new Option('-o, --output <form>', 'form of the answer').choices(['text', 'json']).default('text'))
    .addHelpText('after', AFTER_VERIFY)
    .action((trail: string | undefined, flags: VerifyFlags) => actions.auditVerify(trail, flags));
  ofEvents(audit.command('export'))
    .description('print events with their hashes, one JSON object per line; a whole export can be verified as the trail can')
    .action((trail: string | undefined, flags: EventFlags) => actions.auditExport(trail, flags));
  ofEvents(audit.command('show'))
    .description('print events as a table')
    .option('--limit <number>', 'how many at most, the last ones', wholeNumber, 100)
    .addOption(new Option('-o, --output <form>', 'form of the answer').choices(['text', 'json']).default('text'))
    .action((trail: string | undefined, flags: ShowFlags) => actions.auditShow(trail, flags));
  audit
    .command('checkpoint')
    .argument('[trail]', TRAIL, someText)
    .description('print a checkpoint, to be kept elsewhere: the last event and its hash')
    .action((trail?: string) => actions.auditCheckpoint(trail));
  audit
    .command('adopt')
    .argument('<file>', 'a trail that was made before trails had a chain', someText)
    .description('seal the events of a trail without a chain as they are; nothing proves what happened to them before')
    .option('--key <file>', 'its keys; FILE.key, made where it is not there, when absent', someText)
    .addHelpText('after', AFTER_ADOPT)
    .action((file: string, flags: AdoptFlags) => actions.auditAdopt(file, flags));
}

const ofEvents = (command: Command): Command =>
  command
    .argument('[trail]', TRAIL, someText)
    .option('--remediation <name>', 'events of one RemediationRequest', someText)
    .option('--type <types>', 'types, separated by commas, e.g. orchestrator.approval.approved', someText)
    .option('--since <time>', 'not what happened before, e.g. 2026-03-02T00:00:00Z', aTime);

/** In whole seconds of UTC, as events have it. */
function aTime(text: string): string {
  const at = parseTime(text);
  if (at === undefined) throw new InvalidArgumentError('It takes a time with its zone, such as 2026-03-02T00:00:00Z.');
  return toTime(at);
}
