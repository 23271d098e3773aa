import { NumberInput, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Quotas } from '../../generated/types.gen.ts';
import { quotas as text } from '../../strings/quotas.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { notify } from '../notify.ts';

const MEGABYTE = 1_024 ** 2;
/** Keeps what is sent a safe integer. */
const MAX_MEGABYTES = 1_000_000_000;

type Typed = number | string;
const asTyped = (most: number | null): Typed => most ?? '';
const asQuota = (typed: Typed) => (typed === '' ? null : Number(typed));

/** Sets the quotas of a project or an account; an empty field is no quota. */
export function QuotasDialog(props: {
  title: string;
  hint: string;
  quotas: Quotas;
  /** Sends the quotas, and refreshes what shows them. */
  send: (quotas: Quotas) => Promise<unknown>;
  onClose: () => void;
}) {
  const { storage_bytes: savedBytes } = props.quotas;
  const savedMegabytes = asTyped(savedBytes === null ? null : Number((savedBytes / MEGABYTE).toFixed(2)));
  const [posts, setPosts] = useState(asTyped(props.quotas.posts));
  const [publishes, setPublishes] = useState(asTyped(props.quotas.publishes_per_day));
  const [megabytes, setMegabytes] = useState(savedMegabytes);
  const sending = useMutation({
    mutationFn: async () => {
      const storage = asQuota(megabytes);
      await props.send({
        posts: asQuota(posts),
        publishes_per_day: asQuota(publishes),
        storage_bytes:
          megabytes === savedMegabytes ? savedBytes : storage === null ? null : Math.round(storage * MEGABYTE),
      });
      notify.done(text.saved);
      props.onClose();
    },
  });
  const field = (value: Typed, onChange: (value: Typed) => void) => ({
    value,
    onChange,
    min: 0,
    max: MAX_MEGABYTES,
    placeholder: text.none,
    thousandSeparator: ' ',
  });
  return (
    <FormDialog
      title={props.title}
      confirm={text.save}
      sending={sending}
      onSubmit={() => sending.mutate()}
      onClose={props.onClose}
    >
      <Text size="sm">{props.hint}</Text>
      <NumberInput label={text.names.posts} allowDecimal={false} {...field(posts, setPosts)} />
      <NumberInput label={text.names.publishes_per_day} allowDecimal={false} {...field(publishes, setPublishes)} />
      <NumberInput label={text.storageMegabytes} decimalScale={2} {...field(megabytes, setMegabytes)} />
    </FormDialog>
  );
}
