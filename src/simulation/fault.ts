/**
 * What can go wrong, and where. A simulation asks its FaultSource at every point; the answer is written down with the
 * point, so that a run can be repeated with the same faults, or with fewer of them.
 */

/** Where a request goes wrong. */
export type RequestFault =
  /** The process dies before the request leaves. */
  | { readonly kind: 'CrashBefore' }
  /** The server commits, the process dies before it hears of it. */
  | { readonly kind: 'CrashAfter' }
  /** The server commits, the reply is lost: the caller sees a broken connection. */
  | { readonly kind: 'LostReply' }
  /** The request is lost: the caller sees a broken connection, the server saw nothing. */
  | { readonly kind: 'LostRequest' }
  /** The server refuses without acting. */
  | { readonly kind: 'Refuse'; readonly code: 409 | 429 | 500 }
  /** The request leaves late. */
  | { readonly kind: 'Delay'; readonly ms: number }
  /** The whole process stands still before the request leaves, and goes on later as if nothing had been. */
  | { readonly kind: 'Freeze'; readonly ms: number };

/** Where a batch of watch lines goes wrong. */
export type WatchFault =
  /** The batch arrives late, and all that follows it on this stream. */
  | { readonly kind: 'LateEvents'; readonly ms: number }
  /** The batch never arrives; some time later the server ends the stream with 410, and the watcher has to list again. */
  | { readonly kind: 'HiddenEvents'; readonly ms: number }
  /** The batch never arrives, silently: the stream continues as if it had (a server's bug). */
  | { readonly kind: 'DroppedEvents' }
  /** The connection breaks before the batch; the watcher resumes where it was. */
  | { readonly kind: 'Disconnect' };

/** What goes wrong by itself, at a moment of its own. */
export type AmbientFault =
  /** The process dies and is started again. */
  | { readonly kind: 'Crash'; readonly replica: string }
  /** The API answers no request for a while, and every watch breaks. */
  | { readonly kind: 'Outage'; readonly ms: number }
  /** The replica's clock jumps, forwards or back. */
  | { readonly kind: 'ClockJump'; readonly replica: string; readonly ms: number }
  /** The replica stands still. */
  | { readonly kind: 'Freeze'; readonly replica: string; readonly ms: number };

export type Fault = RequestFault | WatchFault | AmbientFault;

/** A request about to leave, counted per replica over all its lives: `r1 write 7`. */
export interface RequestPoint {
  readonly kind: 'request';
  readonly replica: string;
  readonly verb: 'write' | 'read' | 'watch';
  readonly index: number;
  /** What the request or batch says, for the log. */
  readonly text: () => string;
}

/** A batch of watch lines about to arrive: `r1 events 12`. */
export interface WatchPoint {
  readonly kind: 'events';
  readonly replica: string;
  readonly index: number;
  /** What the request or batch says, for the log. */
  readonly text: () => string;
}

/** A beat of the ambient clock: `beat 3`. */
export interface BeatPoint {
  readonly kind: 'beat';
  readonly index: number;
  readonly replicas: readonly string[];
}

/** Decides what goes wrong; asked once per point, in the order of the run. */
export interface FaultSource {
  onRequest(point: RequestPoint): RequestFault | undefined;
  onEvents(point: WatchPoint): WatchFault | undefined;
  onBeat(point: BeatPoint): AmbientFault | undefined;
}

/** A fault that was injected, under the name of its point. */
export interface Injected {
  readonly point: string;
  readonly fault: Fault;
}

export const requestPointName = (point: Pick<RequestPoint, 'replica' | 'verb' | 'index'>): string =>
  `${point.replica} ${point.verb} ${point.index}`;
export const watchPointName = (point: Pick<WatchPoint, 'replica' | 'index'>): string => `${point.replica} events ${point.index}`;
export const beatPointName = (point: Pick<BeatPoint, 'index'>): string => `beat ${point.index}`;

/** Nothing goes wrong. */
export const noFaults: FaultSource = { onRequest: () => undefined, onEvents: () => undefined, onBeat: () => undefined };

/** The fault in a few words, for the log: `Refuse code=409`. */
export function faultText(fault: Fault): string {
  const details = Object.entries(fault).filter(([name]) => name !== 'kind');
  return [fault.kind, ...details.map(([name, value]) => `${name}=${String(value)}`)].join(' ');
}
