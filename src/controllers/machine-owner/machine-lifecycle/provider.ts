import type { Node } from '../../../api/builtin/index.ts';
import type { Machine } from '../../../api/machine/machine.ts';
import type { KubeObject } from '../../../api/meta.ts';
import type { Effect, Read, Reader } from '../../../runtime/reconcile/controller.ts';

/** Provides and deletes instances. When that happens is decided by the caller: for Machines without an instance, and after a drain. */
export interface Provider<Instance = KubeObject> {
  /** Effects that give a Machine an instance, from the free Nodes; none where there is none to give. */
  acquire(machine: Machine, free: readonly Node[]): readonly Effect[];
  /** The instance of a Machine that is being deleted. It counts as gone only after a live read. */
  look(machine: Machine, node: Read<Node>, reader: Reader): Promise<Read<Instance>> | Read<Instance>;
  /** Effects that delete the instance. They may be repeated until it is gone. */
  destroy(machine: Machine, instance: Instance): readonly Effect[];
}
