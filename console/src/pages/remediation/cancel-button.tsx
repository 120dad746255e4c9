import { useSession } from '../../app/session.tsx';
import { api } from '../../data/api.ts';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';

/** Cancels a remediation. */
export function CancelButton({ name }: { readonly name: string }) {
  const { may } = useSession();
  if (!may.cancel) return undefined;
  return (
    <ReasonDialog
      label="Cancel…"
      title="Cancel this remediation"
      confirm="Cancel the remediation"
      act={(reason) => api.cancelRemediation({ name, body: { reason } })}
    >
      A run that has begun is stopped. What it has changed by then stays changed.
    </ReasonDialog>
  );
}
