import type { ResourceRef } from '../../../src/server/contract/index.ts';

/** A resource as kubectl would name it. Names are isolated: one in right-to-left script must not turn the text around it. */
export function Target({ of }: { readonly of: ResourceRef }) {
  const { kind, namespace, name } = of;
  return (
    <span className="target" title={targetText(of)}>
      <span className="dim">{kind} </span>
      {namespace !== undefined && (
        <>
          <bdi>{namespace}</bdi>
          <span className="dim">/</span>
        </>
      )}
      <bdi className="strong">{name}</bdi>
    </span>
  );
}

/** @example targetText({ kind: 'Deployment', namespace: 'shop', name: 'checkout' }) === 'Deployment shop/checkout' */
export const targetText = ({ kind, namespace, name }: ResourceRef): string =>
  `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
