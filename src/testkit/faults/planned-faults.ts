import {
  beatPointName,
  requestPointName,
  watchPointName,
  type AmbientFault,
  type FaultSource,
  type Injected,
  type RequestFault,
  type WatchFault,
} from '../../simulation/index.ts';

/** Exactly these faults at exactly these points: how a run is repeated, made smaller, or swept. */
export function plannedFaults(plan: readonly Injected[]): FaultSource {
  const byPoint = new Map(plan.map((injected) => [injected.point, injected.fault]));
  return {
    onRequest: (point) => byPoint.get(requestPointName(point)) as RequestFault | undefined,
    onEvents: (point) => byPoint.get(watchPointName(point)) as WatchFault | undefined,
    onBeat: (point) => byPoint.get(beatPointName(point)) as AmbientFault | undefined,
  };
}
