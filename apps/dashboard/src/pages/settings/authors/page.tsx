import { Button, Menu, Stack, Text } from '@mantine/core';
import { Pencil, PenLine, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Author } from '../../../generated/types.gen.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { LoadMore } from '../../../parts/lists/load-more.tsx';
import { RowMenu } from '../../../parts/lists/row-menu.tsx';
import { Row, Rows } from '../../../parts/lists/rows.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { QueryProblem } from '../../../parts/problem.tsx';
import { SettingsFrame } from '../../../parts/settings/settings-frame.tsx';
import { authors as text } from '../../../strings/writing/authors.ts';
import { AuthorDialog } from './author-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { useAuthors } from './use-authors.ts';

type OpenDialog = 'add' | { readonly edit: Author } | { readonly remove: Author };

/** The people who write the project's posts. */
export function Page() {
  const { list, authors, save, remove } = useAuthors();
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const close = () => setOpened(null);
  const add = (
    <Button leftSection={<Plus />} onClick={() => setOpened('add')}>
      {text.add}
    </Button>
  );
  return (
    <SettingsFrame title={text.title} {...(authors.length > 0 && { actions: add })}>
      <Stack maw={640}>
        <QueryProblem query={list} />
        {list.isPending && <Loading />}
        {list.data && authors.length === 0 && (
          <EmptyState icon={PenLine} title={text.empty} action={add}>
            {text.emptyText}
          </EmptyState>
        )}
        {authors.length > 0 && (
          <>
            <Text size="sm">{text.intro}</Text>
            <Rows label={text.list}>
              {authors.map((author) => (
                <Row
                  key={author.id}
                  {...(author.avatar_url === null ? { email: author.name } : { picture: author.avatar_url })}
                  title={author.name}
                  note={noteOf(author)}
                  actions={
                    <RowMenu label={text.actionsOf(author.name)}>
                      <Menu.Item leftSection={<Pencil />} onClick={() => setOpened({ edit: author })}>
                        {text.edit}
                      </Menu.Item>
                      <Menu.Divider />
                      <Menu.Item leftSection={<Trash2 />} color="red" onClick={() => setOpened({ remove: author })}>
                        {text.delete}
                      </Menu.Item>
                    </RowMenu>
                  }
                />
              ))}
            </Rows>
            <LoadMore list={list} />
          </>
        )}
        {opened !== null &&
          (opened === 'add' || 'edit' in opened ? (
            <AuthorDialog
              author={opened === 'add' ? null : opened.edit}
              taken={membersAmong(authors, opened)}
              onSave={save}
              onClose={close}
            />
          ) : (
            <DeleteDialog author={opened.remove} onDelete={remove} onClose={close} />
          ))}
      </Stack>
    </SettingsFrame>
  );
}

/** The members that the other authors are: each can be only one. */
const membersAmong = (authors: readonly Author[], opened: 'add' | { readonly edit: Author }): ReadonlySet<string> =>
  new Set(
    authors.flatMap(({ id, account_id: member }) => (opened !== 'add' && id === opened.edit.id ? [] : (member ?? []))),
  );

const noteOf = ({ slug, bio }: Author) => (bio === null ? slug : `${slug} · ${bio}`);
