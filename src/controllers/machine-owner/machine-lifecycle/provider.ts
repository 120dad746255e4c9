import type { Node } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { Effect, Read, Reader } from '../../../runtime/reconcile/controller.ts';

/** What instances come from and go back to. It decides nothing about when: Machines are given to it when they have none, and when they are drained. */
export interface Provider<Instance = KubeObject> {
  /** What gives an instance to a Machine that has none, out of the Nodes that are free; nothing where there is none to give. */
  acquire(machine: Machine, free: readonly Node[]): readonly Effect[];
  /** The instance of a Machine that is leaving. It is gone only on the server's word. */
  look(machine: Machine, node: Read<Node>, reader: Reader): Promise<Read<Instance>> | Read<Instance>;
  /** What deletes the instance. It may be asked for again until it is gone. */
  destroy(machine: Machine, instance: Instance): readonly Effect[];
}
