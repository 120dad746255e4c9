import { useSession } from '../../app/session.tsx';
import { api } from '../../data/api.ts';
import { Command } from '../../parts/command.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';

/** Clears the block of a target after a person looked at it. */
export function ClearBlock({ execution }: { readonly execution: string }) {
  const { may } = useSession();
  if (!may.clearBlocks) return <Command text={`sickbay clear-block ${execution} --reason "…"`} />;
  return (
    <ReasonDialog
      label="Clear the block…"
      title="Clear the block of the target"
      confirm="Clear the block"
      act={(reason) => api.clearBlock({ body: { name: execution, reason } })}
    >
      Workflows may run on the target again. Look at the target first: the failed run may have left it half changed.
    </ReasonDialog>
  );
}
