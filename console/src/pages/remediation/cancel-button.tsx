import { Button, Modal, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../app/session.tsx';
import { api } from '../../data/api.ts';

/** Cancels a remediation, with a reason. */
export function CancelButton({ name }: { readonly name: string }) {
  const { may } = useSession();
  const queries = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure();
  const [reason, setReason] = useState('');
  const cancel = useMutation({
    mutationFn: () => api.cancelRemediation({ name, body: { reason: reason.trim() } }),
    onSuccess: async () => {
      close();
      await queries.invalidateQueries({ queryKey: ['remediations'] });
    },
  });
  if (!may.cancel) return undefined;
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        Cancel…
      </Button>
      <Modal opened={isOpen} onClose={close} title="Cancel this remediation">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            cancel.mutate();
          }}
        >
          <p className="dim">A run that has begun is stopped. What it has changed by then stays changed.</p>
          <TextInput
            label="Reason"
            description="It is recorded with your name."
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            error={cancel.error?.message}
            data-autofocus
            maxLength={1024}
          />
          <Button type="submit" color="red" mt="md" loading={cancel.isPending} disabled={reason.trim() === ''}>
            Cancel the remediation
          </Button>
        </form>
      </Modal>
    </>
  );
}
