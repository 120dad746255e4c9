import { instant, type Instant } from '../base/index.ts';

/** Time that moves only from one planned task to the next. The same tasks in the same order give the same run. */
export interface VirtualTime {
  now(): Instant;
  /** Plans a task; of tasks due at the same moment the one planned first runs first. Returns how to call it off. */
  at(due: Instant, run: () => void): () => void;
  /** Moves to the next task and runs it; false when there is none. */
  step(): boolean;
  /** When the next task is due. */
  next(): Instant | undefined;
}

interface Task {
  readonly due: Instant;
  readonly order: number;
  run: (() => void) | undefined;
}

/** Starts the clock at `start`, with nothing planned. */
export function createVirtualTime(start: Instant): VirtualTime {
  const heap: Task[] = [];
  let now = start;
  let planned = 0;
  const dropCalledOff = (): void => {
    while (heap[0] !== undefined && heap[0].run === undefined) popTask(heap);
  };
  return {
    now: () => now,
    at(due, run) {
      const task: Task = { due: instant(Math.max(due, now)), order: planned++, run };
      pushTask(heap, task);
      return () => (task.run = undefined);
    },
    step() {
      dropCalledOff();
      const task = popTask(heap);
      if (!task) return false;
      now = task.due;
      task.run?.();
      return true;
    },
    next() {
      dropCalledOff();
      return heap[0]?.due;
    },
  };
}

const isBefore = (a: Task, b: Task): boolean => a.due < b.due || (a.due === b.due && a.order < b.order);

function pushTask(heap: Task[], task: Task): void {
  let at = heap.push(task) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(task, heap[parent]!)) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = task;
}

function popTask(heap: Task[]): Task | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (top === undefined || last === undefined || heap.length === 0) return top;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= heap.length) break;
    const right = left + 1;
    const child = right < heap.length && isBefore(heap[right]!, heap[left]!) ? right : left;
    if (!isBefore(heap[child]!, last)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = last;
  return top;
}
