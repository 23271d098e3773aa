import { NativeSelect } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listMembersOptions } from '../../../generated/@tanstack/react-query.gen.ts';
import type { Author } from '../../../generated/types.gen.ts';
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx';
import { errorsIn, fieldErrors } from '../../../parts/explain-error.ts';
import { Textarea, TextInput } from '../../../parts/forms/inputs.tsx';
import { ImagePicker } from '../../../parts/images/image-picker.tsx';
import { notify } from '../../../parts/notify.ts';
import { useProject } from '../../../parts/project.tsx';
import { authors as text } from '../../../strings/writing/authors.ts';
import { clashAtField, emptyForm, formOf, requestOf, type AuthorForm } from './author-request.ts';
import { AvatarField } from './avatar-field.tsx';
import type { SaveAuthor } from './use-authors.ts';

const GROWS = { autosize: true, minRows: 2, maxRows: 8 };

/** Adds an author, or changes one. */
export function AuthorDialog(props: {
  /** Null for a new one. */
  author: Author | null;
  /** The members that other authors are. */
  taken: ReadonlySet<string>;
  onSave: SaveAuthor;
  onClose: () => void;
}) {
  const { author, onSave, onClose } = props;
  const before = author === null ? emptyForm : formOf(author);
  const [form, setForm] = useState<AuthorForm>(before);
  const [isPicking, setPicking] = useState(false);
  const set = (change: Partial<AuthorForm>) => setForm((typed) => ({ ...typed, ...change }));
  const { id: projectId } = useProject();
  const members = useQuery(listMembersOptions({ path: { projectId }, query: { limit: 100 } }));
  const save = useMutation({
    mutationFn: async () => {
      try {
        await onSave(author?.id ?? null, requestOf(form));
      } catch (error) {
        throw clashAtField(error);
      }
      notify.done(author === null ? text.added : text.saved);
      onClose();
    },
  });
  const refused = save.error === null ? {} : fieldErrors(save.error);
  if (isPicking) {
    return (
      <ImagePicker
        onClose={() => setPicking(false)}
        onPicked={({ url }) => {
          set({ avatar_url: url });
          setPicking(false);
        }}
      />
    );
  }
  return (
    <FormDialog
      title={author === null ? text.add : text.editTitle(author.name)}
      confirm={author === null ? text.add : text.save}
      sending={save}
      hasTyped={JSON.stringify(form) !== JSON.stringify(before)}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={text.name}
        required
        maxLength={500}
        value={form.name}
        error={refused['name']}
        onChange={(event) => set({ name: event.currentTarget.value })}
        data-autofocus
      />
      <TextInput
        label={text.slug}
        required={author !== null}
        placeholder={text.slugMade}
        description={author !== null && form.slug !== author.slug ? text.slugChange : undefined}
        maxLength={200}
        value={form.slug}
        error={refused['slug']}
        onChange={(event) => set({ slug: event.currentTarget.value })}
      />
      <AvatarField
        url={form.avatar_url}
        error={refused['avatar_url']}
        onChoose={() => setPicking(true)}
        onRemove={() => set({ avatar_url: '' })}
      />
      <Textarea
        label={text.bio}
        description={text.bioHint}
        {...GROWS}
        maxLength={2000}
        value={form.bio}
        error={refused['bio']}
        onChange={(event) => set({ bio: event.currentTarget.value })}
      />
      <Textarea
        label={text.links}
        description={text.linksHint}
        placeholder={text.linksExample}
        {...GROWS}
        value={form.links}
        error={errorsIn('links', refused, text.line)}
        onChange={(event) => set({ links: event.currentTarget.value })}
      />
      <Textarea
        label={text.sameAs}
        description={text.sameAsHint}
        placeholder={text.sameAsExample}
        {...GROWS}
        value={form.same_as}
        error={errorsIn('same_as', refused, text.line)}
        onChange={(event) => set({ same_as: event.currentTarget.value })}
      />
      <TextInput
        type="email"
        label={text.email}
        description={text.emailHint}
        maxLength={254}
        autoComplete="off"
        value={form.email}
        error={refused['email']}
        onChange={(event) => set({ email: event.currentTarget.value })}
      />
      <NativeSelect
        label={text.member}
        data={[
          { value: '', label: text.noMember },
          ...(members.data?.items ?? [])
            .filter((member) => !props.taken.has(member.account_id))
            .map((member) => ({ value: member.account_id, label: member.email })),
        ]}
        value={form.account_id}
        error={refused['account_id']}
        onChange={(event) => set({ account_id: event.currentTarget.value })}
      />
    </FormDialog>
  );
}
