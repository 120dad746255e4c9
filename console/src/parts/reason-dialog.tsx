import { Button, Modal, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

interface ReasonDialogProps {
  /** The button that opens it. */
  readonly label: string;
  readonly title: string;
  /** What follows from it. */
  readonly children: React.ReactNode;
  /** The button that does it. */
  readonly confirm: string;
  readonly act: (reason: string) => Promise<unknown>;
}

/** A button for what is recorded with a reason. */
export function ReasonDialog({ label, title, children, confirm, act }: ReasonDialogProps) {
  const queryClient = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure();
  const [reason, setReason] = useState('');
  const action = useMutation({
    mutationFn: () => act(reason.trim()),
    onSuccess: async () => {
      close();
      await queryClient.invalidateQueries({ queryKey: ['remediations'] });
    },
  });
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            action.mutate();
          }}
        >
          <div className="dim">{children}</div>
          <TextInput
            mt="sm"
            label="Reason"
            description="It is recorded with your name."
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            error={action.error?.message}
            data-autofocus
            maxLength={1024}
          />
          <Button type="submit" mt="md" loading={action.isPending} disabled={reason.trim() === ''}>
            {confirm}
          </Button>
        </form>
      </Modal>
    </>
  );
}
