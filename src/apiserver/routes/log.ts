import { after, isObject, parseTime, SECOND, toTime, type Instant, type JsonObject } from '../../base/index.ts';
import type { ApiRequest } from '../../kube/client/transport.ts';
import { invalidValue, type FieldError } from '../field-error.ts';
import type { Stored } from '../object.ts';
import { keyIn, type ApiAnswer, type ObjectTarget, type Server } from '../server.ts';
import { badRequest, invalid, methodNotAllowed, notFound } from '../status-errors.ts';
import { queryNumber } from './options.ts';
import type { Query } from './select.ts';

/** One line that a container wrote. */
export interface LogLine {
  readonly at: Instant;
  /** With the newline that ended it, if one did. */
  readonly text: string;
}

/** The log of a container. */
export interface ContainerLog {
  /** The lines so far, oldest first. */
  readonly lines: readonly LogLine[];
  /** The lines after those, as they arrive; ends with the container, or when the reader returns. */
  following(): AsyncIterable<readonly LogLine[], undefined>;
}

/** Finds the log of a container; undefined where none is kept. */
export type LogsOf = (pod: PodKey, container: string) => ContainerLog | undefined;

export interface PodKey {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** GET of a pod's log: the output of one of its containers. */
export function handleLog(server: Server, { kind, name, namespace }: ObjectTarget, request: ApiRequest): ApiAnswer {
  if (request.method !== 'GET') throw methodNotAllowed(kind, request.method.toLowerCase());
  const options = readOptions(request.query ?? {}, server.clock.now());
  const pod = server.store.table(kind.table).get(keyIn(namespace, name));
  if (!pod) throw notFound(kind, name);
  const container = containerOf(pod, options.container);
  if (options.previous) throw neverRanBefore(name, container);
  const body = textOf(server, pod, { ...options, container });
  return { code: 200, body, mediaType: 'text/plain' };
}

const neverRanBefore = (pod: string, container: string): Error =>
  badRequest(`previous terminated container ${JSON.stringify(container)} in pod ${JSON.stringify(pod)} not found`);

function textOf(server: Server, pod: Stored, options: LogOptions): string | AsyncIterable<string> {
  const { namespace = '', name, uid } = pod.metadata;
  const found = server.logsOf?.({ namespace, name, uid }, options.container);
  if (found) return bodyOf(found, options);
  checkStarted(pod, options.container);
  return '';
}

interface LogOptions {
  /** Empty when the request names none. */
  readonly container: string;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number;
  readonly limitBytes: number;
  readonly since: Instant;
}

function readOptions(query: Query, now: Instant): LogOptions {
  const number = (name: string): number | undefined => ((query[name] ?? '') === '' ? undefined : queryNumber(query[name]!));
  const [tailLines, limitBytes, seconds] = [number('tailLines'), number('limitBytes'), number('sinceSeconds')];
  const errors: FieldError[] = [];
  const atLeast = (field: string, value: number | undefined, least: number, detail: string): void => {
    if (value !== undefined && value < least) errors.push(invalidValue(field, value, detail));
  };
  atLeast('tailLines', tailLines, 0, 'must be greater than or equal to 0');
  atLeast('limitBytes', limitBytes, 1, 'must be greater than 0');
  atLeast('sinceSeconds', seconds, 1, 'must be greater than 0');
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, '', errors);
  const since = seconds === undefined ? parseTime(query['sinceTime']) : after(now, -seconds * SECOND);
  return {
    container: query['container'] ?? '',
    follow: isTrue(query['follow']),
    previous: isTrue(query['previous']),
    timestamps: isTrue(query['timestamps']),
    tailLines: tailLines ?? Infinity,
    limitBytes: limitBytes ?? Infinity,
    since: since ?? (0 as Instant),
  };
}

const isTrue = (text = 'false'): boolean => !/^(false|0)$/i.test(text);

/** The container of the request: the named one, or the only one. */
function containerOf(pod: Stored, wanted: string): string {
  const names = ['containers', 'initContainers'].flatMap((field) => namesIn(pod.spec, field));
  const { name } = pod.metadata;
  if (wanted !== '') {
    if (names.includes(wanted)) return wanted;
    throw badRequest(`container ${wanted} is not valid for pod ${name}`);
  }
  const [only, ...others] = namesIn(pod.spec, 'containers');
  if (only !== undefined && others.length === 0) return only;
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`);
}

function namesIn(spec: unknown, field: string): readonly string[] {
  const found = isObject(spec) ? spec[field] : undefined;
  return Array.isArray(found) ? found.filter(isObject).map((container) => String(container['name'])) : [];
}

/** Refuses the log of a container that is waiting to start; a pod without container statuses has an empty log. */
function checkStarted(pod: Stored, container: string): void {
  const statuses = isObject(pod.status) ? pod.status['containerStatuses'] : undefined;
  const status = Array.isArray(statuses) ? statuses.filter(isObject).find(({ name }) => name === container) : undefined;
  const waiting = (status?.['state'] as JsonObject | undefined)?.['waiting'];
  if (!isObject(waiting)) return;
  const why = typeof waiting['reason'] === 'string' ? waiting['reason'] : 'ContainerCreating';
  throw badRequest(`container ${JSON.stringify(container)} in pod ${JSON.stringify(pod.metadata.name)} is waiting to start: ${why}`);
}

function bodyOf(found: ContainerLog, options: LogOptions): string | AsyncIterable<string> {
  const recent = found.lines.filter(({ at }) => at >= options.since);
  const wanted = options.tailLines === 0 ? [] : recent.slice(-options.tailLines);
  const text = written(wanted, options);
  return options.follow ? followed(text, found, options) : cut(text, options.limitBytes);
}

const written = (lines: readonly LogLine[], { timestamps }: LogOptions): string =>
  lines.map(({ at, text }) => (timestamps ? `${toTime(at)} ${text}` : text)).join('');

/** The start of a text, limited to a number of bytes. */
const cut = (text: string, bytes: number): string => (bytes === Infinity ? text : Buffer.from(text).subarray(0, bytes).toString());

/** Not a generator function: a generator that waits for the next line cannot learn that its reader has gone. */
function followed(start: string, found: ContainerLog, options: LogOptions): AsyncIterable<string> {
  // Followed at once, so that no line is lost between the lines so far and those to come.
  const more = found.following();
  return {
    [Symbol.asyncIterator]: () => {
      const lines = more[Symbol.asyncIterator]();
      let left = options.limitBytes;
      let first: string | undefined = start;
      const give = (text: string): IteratorResult<string, undefined> => {
        const value = cut(text, left);
        left -= Buffer.byteLength(value);
        return { done: false, value };
      };
      return {
        async next() {
          if (left <= 0) return { done: true, value: undefined };
          if (first !== undefined) {
            const text = first;
            first = undefined;
            return give(text);
          }
          const { done, value } = await lines.next();
          return done ? { done, value: undefined } : give(written(value, options));
        },
        async return() {
          await lines.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
