import type { Topic } from '../contract/index.ts';
import type { ChangeLog, LoggedChange } from './change-log.ts';

/** The present state of an object as JSON text, for the member of its topic; undefined where it is gone. */
export type StateOf = (change: LoggedChange) => string | undefined;

/** The member of a change that holds the object; signals are only announced. */
const MEMBERS: Readonly<Record<Topic, string | undefined>> = {
  remediations: 'remediation',
  approvals: 'approval',
  machines: 'machine',
  'machine-checks': 'check',
  workflows: 'workflow',
  signals: undefined,
};

/** What a client gets next, and where it then is. */
export interface Batch {
  readonly bytes: Buffer;
  readonly position: number;
}

/**
 * Writes changes as server-sent events. Clients that are at the same position and follow the same topics get the same bytes, which are made
 * once: that is what nearly all of them are.
 */
export class ChangeFrames {
  readonly #log: ChangeLog;
  readonly #stateOf: StateOf;
  /** Tells this process from others: numbers of another one mean nothing here. */
  readonly #process: string;
  #batches = new Map<string, Batch>();
  #madeAt = -1;

  constructor({ log, stateOf, process }: { readonly log: ChangeLog; readonly stateOf: StateOf; readonly process: string }) {
    this.#log = log;
    this.#stateOf = stateOf;
    this.#process = process;
  }

  /** The first event of a stream: where changes begin. */
  hello(position: number): Buffer {
    return Buffer.from(`${idLine(this.#process, position)}event: hello\ndata: {}\n\n`);
  }

  /** Tells the client to read its lists again. */
  reset(): Batch {
    const position = this.#log.newest;
    return { bytes: Buffer.from(`${idLine(this.#process, position)}event: reset\ndata: {}\n\n`), position };
  }

  /** The position that an id of an event means; undefined for one of another process. */
  positionOf(id: string): number | undefined {
    const [process, number] = id.split('.');
    return process === this.#process && /^\d{1,15}$/.test(number ?? '') ? Number(number) : undefined;
  }

  /** What changed after this position; undefined where nothing did. */
  after(position: number, topics: ReadonlySet<Topic>): Batch | undefined {
    const { newest } = this.#log;
    if (position === newest) return undefined;
    if (this.#madeAt !== newest) this.#batches = new Map();
    this.#madeAt = newest;
    const key = `${position} ${[...topics].toSorted().join()}`;
    const made = this.#batches.get(key) ?? this.#make(position, topics);
    this.#batches.set(key, made);
    return made;
  }

  #make(position: number, topics: ReadonlySet<Topic>): Batch {
    const changes = this.#log.since(position);
    if (!changes) return this.reset();
    const frames = changes.filter(({ topic }) => topics.has(topic)).map((change) => this.#frame(change));
    return { bytes: Buffer.from(frames.join('')), position: this.#log.newest };
  }

  #frame(change: LoggedChange): string {
    const { number, topic, name } = change;
    const member = MEMBERS[topic];
    const state = member === undefined ? '' : this.#stateOf(change);
    const head = `{"topic":${JSON.stringify(topic)},"name":${JSON.stringify(name)},"op":"${state === undefined ? 'delete' : 'put'}"`;
    const data = member === undefined || state === undefined ? `${head}}` : `${head},"${member}":${state}}`;
    return `${idLine(this.#process, number)}event: change\ndata: ${data}\n\n`;
  }
}

const idLine = (process: string, position: number): string => `id: ${process}.${position}\n`;
