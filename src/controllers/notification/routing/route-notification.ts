import { RE2JS } from 're2js';
import type { NotificationRoute } from '../../notification-settings.ts';
import type { NotificationAttributes } from './notification-attributes.ts';

/** A route that takes a notification, and how it was reached. */
export interface RoutedTo {
  readonly receiver: string;
  /** Index of the child taken at each level, from the root on: `[]` is the root itself. */
  readonly path: readonly number[];
  /** What notifications have in common that may go out together. */
  readonly group: NotificationAttributes;
  readonly groupWaitMs: number;
}

/**
 * The routes that take a notification, as in Alertmanager: children are evaluated in order; the first that matches takes it, and those
 * after it too where that one says `continue`; a route takes what none of its children takes. The root matches everything, so there is always one.
 */
export function routeNotification(root: NotificationRoute, attributes: NotificationAttributes): readonly RoutedTo[] {
  return taking(root, attributes, []);
}

function taking(route: NotificationRoute, attributes: NotificationAttributes, path: readonly number[]): readonly RoutedTo[] {
  const below: RoutedTo[] = [];
  for (const [index, child] of route.routes.entries()) {
    if (!matches(child, attributes)) continue;
    below.push(...taking(child, attributes, [...path, index]));
    if (!child.continue) break;
  }
  if (below.length > 0) return below;
  const group = Object.fromEntries(route.groupBy.map((name) => [name, attributes[name] ?? '']));
  return [{ receiver: route.receiver, path, group, groupWaitMs: route.groupWaitMs }];
}

/** An attribute that is missing counts as empty, as a label does in Alertmanager. */
function matches({ match, matchRe }: NotificationRoute, attributes: NotificationAttributes): boolean {
  const valueOf = (name: string): string => (Object.hasOwn(attributes, name) ? (attributes[name] ?? '') : '');
  return (
    Object.entries(match).every(([name, value]) => valueOf(name) === value) &&
    Object.entries(matchRe).every(([name, pattern]) => RE2JS.compile(pattern).matcher(valueOf(name)).matches())
  );
}
