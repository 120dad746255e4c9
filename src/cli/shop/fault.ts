import type { Container, PodSpec } from '../../api/builtin/index.ts';

/** What every fault tells people. */
interface Described {
  readonly name: string;
  /** What breaks, in one line. */
  readonly does: string;
  /** How it should end. */
  readonly ends: string;
}

/** A release of a Deployment that does not work. */
export interface ReleaseFault extends Described {
  readonly kind: 'release';
  readonly target: { readonly namespace: string; readonly name: string };
  /** What the release changes in the first container, and in its pods. */
  readonly change: { readonly container?: Partial<Container>; readonly pods?: Partial<PodSpec> };
}

/** A ConfigMap that pods read when they start gets a bad value, and the pods start again. */
export interface SettingsFault extends Described {
  readonly kind: 'settings';
  readonly target: { readonly namespace: string; readonly name: string };
  readonly settings: { readonly name: string; readonly key: string; readonly value: string };
}

/** The kubelet of a node of the local cluster stops. */
export interface NodeFault extends Described {
  readonly kind: 'node';
  readonly target: { readonly name: string };
}

export type Fault = ReleaseFault | SettingsFault | NodeFault;

/** @example targetText(fault) === 'shop/checkout' */
export const targetText = ({ target }: Fault): string => ('namespace' in target ? `${target.namespace}/${target.name}` : target.name);
