import { newSecret } from '../../base/index.ts';
import type { Caller } from '../access/caller.ts';
import { demandAccess } from '../access/demand-access.ts';
import { ApiProblem } from '../api/api-problem.ts';
import type { Exchange } from '../api/api-routes.ts';
import type { Handlers } from '../api/handler-types.ts';
import { ChangeFrames, type StateOf } from '../changes/change-frames.ts';
import { ChangeLog } from '../changes/change-log.ts';
import { ChangeStreams } from '../changes/change-streams.ts';
import { watchStores } from '../changes/watch-stores.ts';
import type { Access, Topic } from '../contract/index.ts';
import { TOPICS } from '../contract/changes.ts';
import type { MachineRows } from '../views/machine-rows.ts';
import type { RemediationRows } from '../views/remediation-rows.ts';
import { approvalNamed } from './approval-handlers.ts';
import type { ApiParts } from './api-parts.ts';
import { workflowNamed } from './workflow-handlers.ts';

/** Streams at a time; a browser with ten tabs has ten. */
const MOST_STREAMS = 1_000;

/** Live changes, as server-sent events. */
export function changesHandlers(parts: ApiParts, rows: RemediationRows, machines: MachineRows): Pick<Handlers, 'followChanges'> {
  const log = new ChangeLog();
  watchStores(parts.stores, parts.journal, log);
  const frames = new ChangeFrames({ log, stateOf: stateOf(parts, rows, machines), process: newSecret().slice(0, 8) });
  const streams = new ChangeStreams({ frames, clock: parts.steady });
  return {
    async followChanges({ topics: wanted, lastEventId }, caller, exchange) {
      if (streams.size >= MOST_STREAMS) throw new ApiProblem(503, `${MOST_STREAMS} clients follow changes already: try again later`);
      const topics = await allowed(wanted, caller, parts);
      const last = lastEventIdOf(exchange, lastEventId);
      const position = last === undefined ? log.newest : frames.positionOf(last);
      const { response } = begin(exchange);
      response.write(position === undefined ? frames.reset().bytes : frames.hello(position));
      streams.open({ response, topics, position: position ?? log.newest, check: () => stillAllowed(parts, exchange, topics) });
    },
  };
}

const lastEventIdOf = ({ request }: Exchange, inQuery: string | undefined): string | undefined => {
  const { 'last-event-id': header } = request.headers;
  return typeof header === 'string' && header !== '' ? header : inQuery;
};

/** From here on the answer is written by hand. Proxies must not hold it back. */
function begin({ reply }: Exchange) {
  const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
  reply.hijack();
  reply.raw.writeHead(200, headers as Record<string, string>);
  return { response: reply.raw };
}

const accessTo = (topic: Topic): Exclude<Access, 'user'> =>
  topic === 'machines' || topic === 'machine-checks' ? 'machines' : 'remediations';

/** The topics that are asked for, or all that the user may read. */
async function allowed(wanted: string | undefined, caller: Caller, { settings }: ApiParts): Promise<ReadonlySet<Topic>> {
  const { namespace } = settings();
  if (wanted !== undefined) {
    const topics = wanted.split(',').map((word) => topicNamed(word.trim()));
    await Promise.all([...new Set(topics.map(accessTo))].map((access) => demandAccess(caller, access, namespace)));
    return new Set(topics);
  }
  const may = async (access: Access): Promise<boolean> => {
    try {
      await demandAccess(caller, access, namespace);
      return true;
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 403) return false;
      throw error;
    }
  };
  const readable = { remediations: await may('remediations'), machines: await may('machines') };
  const topics = TOPICS.filter((topic) => readable[accessTo(topic)]);
  if (topics.length === 0) await demandAccess(caller, 'remediations', namespace);
  return new Set(topics);
}

function topicNamed(word: string): Topic {
  const topic = TOPICS.find((known) => known === word);
  if (!topic) throw new ApiProblem(400, `topic ${JSON.stringify(word.slice(0, 64))} is unknown: known are ${TOPICS.join(', ')}`);
  return topic;
}

/** A token may expire and a right be withdrawn while a stream is open. */
async function stillAllowed({ callers, settings }: ApiParts, { request }: Exchange, topics: ReadonlySet<Topic>): Promise<void> {
  const caller = await callers.callerOf(request);
  if (!caller) throw new ApiProblem(401, 'the token or session has ended');
  const { namespace } = settings();
  await Promise.all([...new Set([...topics].map(accessTo))].map((access) => demandAccess(caller, access, namespace)));
}

/** The present state of what changed. What is needed for many objects is made once per state. */
function stateOf({ stores, settings }: ApiParts, rows: RemediationRows, machines: MachineRows): StateOf {
  const json = (value: object | undefined): string | undefined => value && JSON.stringify(value);
  const placed = new Map<Topic, { readonly from: readonly unknown[]; readonly byName: ReadonlyMap<string, object> }>();
  const named = <T extends { readonly namespace: string; readonly name: string }>(topic: Topic, all: readonly T[], name: string) => {
    const known = placed.get(topic);
    const byName = known?.from === all ? known.byName : new Map(all.map((one) => [`${one.namespace}/${one.name}`, one]));
    placed.set(topic, { from: all, byName });
    return byName.get(name);
  };
  return ({ topic, name }) => {
    const key = { namespace: settings().namespace, name };
    switch (topic) {
      case 'remediations':
        return rows.get(key)?.json;
      case 'approvals':
        return json(approvalNamed(stores, key));
      case 'workflows':
        return json(workflowNamed(stores, key));
      case 'machines':
        return json(named(topic, machines.machines(), name));
      case 'machine-checks':
        return json(named(topic, machines.checks(), name));
      case 'signals':
        return '';
    }
  };
}
