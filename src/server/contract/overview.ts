import {
  any,
  decimal,
  enumOf,
  flag,
  fraction,
  int32,
  list,
  map,
  object,
  optional,
  text,
  texts,
  time,
  type Shape,
} from '../../api/schema/index.ts';
import { named } from './parts.ts';

/** Figures over everything. */
export const summarySchema = named(
  'Summary',
  object('Figures over everything that is kept.', {
    at: time('When they were computed.'),
    remediations: object('Remediations.', {
      total: int32('All that are kept.', { min: 0 }),
      active: int32('Unfinished ones.', { min: 0 }),
      attention: int32('Those that wait for a person.', { min: 0 }),
      byPhase: map('How many are in each phase.', int32('How many.', { min: 0 })),
      byOutcome: map('How many ended with each outcome.', int32('How many.', { min: 0 })),
    }),
    approvals: object('Approvals.', {
      pending: int32('Those that wait for a decision.', { min: 0 }),
      nextExpiry: optional(time('When the first of them expires.')),
    }),
    lastDay: object('The last 24 hours.', {
      opened: int32('Remediations that were opened.', { min: 0 }),
      finished: int32('Remediations that ended.', { min: 0 }),
      remediated: int32('Those that ended Remediated.', { min: 0 }),
      failed: int32('Those that failed, timed out or were skipped.', { min: 0 }),
      medianSeconds: optional(decimal('Time from the signal to the verified fix: the median of those that ended Remediated.')),
      successRate: optional(fraction('Those that ended Remediated, as a share of those that ran a workflow and ended.')),
      averageScore: optional(fraction('Average score of assessments.')),
    }),
    hours: list(
      'The last 24 hours, one entry per hour, the oldest first.',
      object('One hour.', {
        from: time('When it began.'),
        opened: int32('Remediations that were opened.', { min: 0 }),
        remediated: int32('Remediations that ended Remediated.', { min: 0 }),
        failed: int32('Remediations that failed, timed out or were skipped.', { min: 0 }),
        other: int32('Remediations that ended otherwise.', { min: 0 }),
      }),
    ),
    machines: object('Machines.', {
      total: int32('All.', { min: 0 }),
      unhealthy: int32('Those that fail their check.', { min: 0 }),
      remediating: int32('Those with a remediation under way.', { min: 0 }),
      checks: int32('MachineHealthChecks.', { min: 0 }),
      stopped: int32('MachineHealthChecks that may not request remediation now.', { min: 0 }),
    }),
    budget: optional(
      object('How much may still be done; absent while it cannot be read.', {
        startedInHour: int32('Actions of the last hour.', { min: 0 }),
        perHour: int32('How many an hour may have.', { min: 0 }),
        running: int32('Workflows that run now.', { min: 0 }),
        runningLimit: int32('How many may run at once.', { min: 0 }),
        paused: optional(text('Why nothing new may start; absent while things may.')),
      }),
    ),
    signals: map('Signals that this process received, by verdict.', int32('How many.', { min: 0 })),
  }),
);
export type Summary = Shape<typeof summarySchema>;

/** What Sickbay runs with. */
export const settingsSchema = named(
  'SettingsView',
  object('What Sickbay runs with. Nothing secret is in it.', {
    version: text('Version of Sickbay.'),
    mode: enumOf('`local`: with its own API server; `cluster`: on a Kubernetes cluster.', ['local', 'cluster']),
    namespace: text('Namespace of its objects.'),
    executionNamespace: text('Namespace that workflows run in.'),
    cluster: optional(text('Name of this cluster in alerts.')),
    configFile: optional(text('The config file; absent where there is none.')),
    configProblem: optional(text('Why the last change of the config file was refused; the settings before it stay in force.')),
    values: list(
      'The settings.',
      object('One setting.', {
        key: text('Its key in the config file.'),
        value: any('Its value.'),
        isDefault: flag('Whether it is the default.'),
        description: text('What it means.'),
      }),
    ),
    connections: list(
      'What Sickbay is connected to.',
      object('One connection.', {
        name: text('What it leads to.'),
        url: optional(text('Its address.')),
        state: enumOf('`off`: not configured.', ['ok', 'failing', 'unknown', 'off']),
        message: optional(text('What is known about it.')),
      }),
    ),
  }),
);
export type SettingsView = Shape<typeof settingsSchema>;

/** Whether Sickbay works. */
export const healthSchema = named(
  'Health',
  object('Whether Sickbay works.', {
    status: enumOf('`impaired`: it works, but a check fails that a person should see.', ['ok', 'impaired', 'failing']),
    checks: list(
      'The checks.',
      object('One check.', {
        name: text('Its name.'),
        ok: flag('Whether it passes.'),
        message: optional(text('Why not.')),
        endpoint: enumOf('Which question it belongs to: see /livez, /readyz and /healthz.', ['livez', 'readyz', 'healthz']),
      }),
    ),
  }),
);
export type Health = Shape<typeof healthSchema>;

/** Who asks, and what this user may do. */
export const sessionSchema = named(
  'Session',
  object('Who asks, and what this user may do.', {
    user: text('Name of the user, as Kubernetes knows it.'),
    groups: texts('Groups of the user.'),
    via: enumOf('`link`: by the link that the start prints; `token`: by a bearer token.', ['link', 'token']),
    may: object('What the user may do.', {
      read: flag('Read remediations.'),
      readMachines: flag('Read Machines.'),
      decide: flag('Approve and reject.'),
      cancel: flag('Cancel remediations.'),
      clearBlocks: flag('Clear blocks.'),
    }),
    version: text('Version of Sickbay.'),
    namespace: text('Namespace of its objects.'),
    now: time('The time of the server.'),
  }),
);
export type Session = Shape<typeof sessionSchema>;
