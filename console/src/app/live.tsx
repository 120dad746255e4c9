import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState } from 'react';
import { LiveChanges, useLiveState, type LiveState } from '../data/live.ts';

const LiveContext = createContext<LiveState>('connecting');

/** Follows changes while its children are shown. */
export function Live({ children }: { readonly children: React.ReactNode }) {
  const queries = useQueryClient();
  const [live] = useState(() => new LiveChanges(queries));
  const state = useLiveState(live);
  useEffect(() => {
    live.start();
    return () => live.stop();
  }, [live]);
  return <LiveContext value={state}>{children}</LiveContext>;
}

const WORDS: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Not connected',
  refused: 'No access',
};

/** Whether the page shows what happens now. */
export function LiveMark() {
  const state = useContext(LiveContext);
  return (
    <span className="live" data-state={state} role="status">
      {WORDS[state]}
    </span>
  );
}

/** Says that what is shown may be old. */
export function LostBanner() {
  const state = useContext(LiveContext);
  if (state !== 'lost') return undefined;
  return (
    <div className="banner" role="alert">
      <strong>Sickbay does not answer.</strong> What you see may be old. This page connects again by itself.
    </div>
  );
}
