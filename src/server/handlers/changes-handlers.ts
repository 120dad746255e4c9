import { newSecret } from '../../base/index.ts';
import { demandTopics, readableTopics } from '../access/readable-topics.ts';
import { ApiProblem } from '../api/api-problem.ts';
import type { Exchange } from '../api/api-routes.ts';
import type { Handlers } from '../api/handler-types.ts';
import { ChangeFrames, type StateOf } from '../changes/change-frames.ts';
import { ChangeLog } from '../changes/change-log.ts';
import { ChangeStreams } from '../changes/change-streams.ts';
import { watchStores } from '../changes/watch-stores.ts';
import type { Topic } from '../contract/index.ts';
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
      const topics = await readableTopics(caller, wanted, parts.namespace);
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

/** A token may expire and a right be withdrawn while a stream is open. */
async function stillAllowed({ callers, namespace }: ApiParts, { request }: Exchange, topics: ReadonlySet<Topic>): Promise<void> {
  const caller = await callers.callerOf(request);
  if (!caller) throw new ApiProblem(401, 'the token or session has ended');
  await demandTopics(caller, topics, namespace);
}

/** The present state of what changed. What is needed for many objects is made once per state. */
function stateOf({ stores, namespace }: ApiParts, rows: RemediationRows, machines: MachineRows): StateOf {
  const json = (value: object | undefined): string | undefined => value && JSON.stringify(value);
  const placed = new Map<Topic, { readonly from: readonly unknown[]; readonly byName: ReadonlyMap<string, object> }>();
  const named = <T extends { readonly namespace: string; readonly name: string }>(topic: Topic, all: readonly T[], name: string) => {
    const known = placed.get(topic);
    const byName = known?.from === all ? known.byName : new Map(all.map((one) => [`${one.namespace}/${one.name}`, one]));
    placed.set(topic, { from: all, byName });
    return byName.get(name);
  };
  return ({ topic, name }) => {
    const key = { namespace, name };
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
