import { Button, Menu, Stack, Text, VisuallyHidden } from '@mantine/core';
import { ArrowDown, ArrowUp, ListPlus, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { DataField } from '../../../generated/types.gen.ts';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { RowMenu } from '../../../parts/lists/row-menu.tsx';
import { Row, Rows } from '../../../parts/lists/rows.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { notify } from '../../../parts/notify.ts';
import { QueryProblem } from '../../../parts/problem.tsx';
import { OwnersOnly, useIsOwner } from '../../../parts/project.tsx';
import { SettingsFrame } from '../../../parts/settings/settings-frame.tsx';
import { dataFields as text } from '../../../strings/writing/data-fields.ts';
import { FieldDialog } from './field-dialog.tsx';
import { useDataFields } from './use-data-fields.ts';

type OpenDialog = 'add' | { readonly edit: number } | { readonly remove: number };

/** The fields that the project declares for the data of its posts. */
export function Page() {
  const isOwner = useIsOwner();
  const { query, fields, save } = useDataFields();
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const [said, setSaid] = useState('');
  const add = isOwner && (
    <Button leftSection={<Plus />} onClick={() => setOpened('add')}>
      {text.add}
    </Button>
  );
  const move = (from: number, to: number) => {
    const moved = fields[from];
    if (moved === undefined || save.isPending) return;
    save.mutate(fields.toSpliced(from, 1).toSpliced(to, 0, moved), {
      onSuccess: () => setSaid(text.moved(moved.label, to + 1)),
      onError: (error) => notify.failed(error),
    });
  };
  return (
    <SettingsFrame title={text.title} {...(fields.length > 0 && { actions: add })}>
      <Stack maw={640}>
        <QueryProblem query={query} />
        {query.isPending && <Loading />}
        {query.data && fields.length === 0 && (
          <EmptyState icon={ListPlus} title={text.empty} action={add}>
            {isOwner ? text.emptyText : text.emptyForEditors}
          </EmptyState>
        )}
        <VisuallyHidden role="status">{said}</VisuallyHidden>
        {fields.length > 0 && (
          <>
            <Text size="sm">{text.intro}</Text>
            <Rows label={text.list}>
              {fields.map((field, index) => (
                <Row
                  key={field.name}
                  title={field.label}
                  note={noteOf(field)}
                  actions={
                    <OwnersOnly>
                      <RowMenu label={text.actionsOf(field.label)}>
                        <Menu.Item leftSection={<Pencil />} onClick={() => setOpened({ edit: index })}>
                          {text.edit}
                        </Menu.Item>
                        <Menu.Item
                          leftSection={<ArrowUp />}
                          disabled={index === 0}
                          onClick={() => move(index, index - 1)}
                        >
                          {text.moveUp}
                        </Menu.Item>
                        <Menu.Item
                          leftSection={<ArrowDown />}
                          disabled={index === fields.length - 1}
                          onClick={() => move(index, index + 1)}
                        >
                          {text.moveDown}
                        </Menu.Item>
                        <Menu.Divider />
                        <Menu.Item leftSection={<Trash2 />} color="red" onClick={() => setOpened({ remove: index })}>
                          {text.delete}
                        </Menu.Item>
                      </RowMenu>
                    </OwnersOnly>
                  }
                />
              ))}
            </Rows>
          </>
        )}
        {opened !== null && (
          <OpenedDialog
            opened={opened}
            fields={fields}
            onSave={(changed) => save.mutateAsync(changed)}
            onClose={() => setOpened(null)}
          />
        )}
      </Stack>
    </SettingsFrame>
  );
}

const noteOf = ({ name, kind }: DataField) => `${name} · ${text.kinds[kind]}`;

function OpenedDialog(props: {
  opened: OpenDialog;
  fields: readonly DataField[];
  onSave: (fields: readonly DataField[]) => Promise<unknown>;
  onClose: () => void;
}) {
  const { opened, fields, onSave, onClose } = props;
  if (opened === 'add') {
    const index = fields.length;
    return <FieldDialog field={null} index={index} onSave={(given) => onSave([...fields, given])} onClose={onClose} />;
  }
  if ('edit' in opened) {
    const index = opened.edit;
    return (
      <FieldDialog
        field={fields[index] ?? null}
        index={index}
        onSave={(given) => onSave(fields.with(index, given))}
        onClose={onClose}
      />
    );
  }
  const removed = fields[opened.remove];
  if (removed === undefined) return null;
  return (
    <ConfirmDialog
      opened
      danger
      title={text.deleteTitle(removed.label)}
      confirm={text.deleteConfirm}
      onConfirm={async () => {
        await onSave(fields.toSpliced(opened.remove, 1));
        notify.done(text.deleted);
      }}
      onClose={onClose}
    >
      <Text size="sm">{text.deleteText(removed.name)}</Text>
    </ConfirmDialog>
  );
}
