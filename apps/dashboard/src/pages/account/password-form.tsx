import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changePassword } from '../../generated/sdk.gen.ts';
import { fieldErrors } from '../../parts/explain-error.ts';
import { formText } from '../../parts/forms/form-text.ts';
import { PasswordInput } from '../../parts/forms/inputs.tsx';
import { notify } from '../../parts/notify.ts';
import { Problem } from '../../parts/problem.tsx';
import { account as text } from '../../strings/account.ts';

export function PasswordForm({ email }: { email: string }) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const given = new FormData(form);
      await changePassword({
        body: { current_password: formText(given, 'current'), new_password: formText(given, 'new') },
        throwOnError: true,
      });
      form.reset();
      await queries.invalidateQueries({ queryKey: [{ _id: 'listSessions' }] });
      notify.done(text.changed);
    },
  });
  const refused = change.error ? fieldErrors(change.error) : {};
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(event.currentTarget);
      }}
    >
      <Stack gap="sm">
        <Text c="dimmed">{text.changeText}</Text>
        {change.error && <Problem error={change.error} />}
        {/* For what keeps passwords: whose it is. */}
        <VisuallyHidden>
          <input type="text" autoComplete="username" value={email} readOnly tabIndex={-1} aria-hidden />
        </VisuallyHidden>
        <PasswordInput
          name="current"
          label={text.current}
          autoComplete="current-password"
          required
          maxLength={1000}
          error={refused['current_password']}
        />
        <PasswordInput
          name="new"
          label={text.new}
          description={text.newHint}
          autoComplete="new-password"
          required
          minLength={12}
          maxLength={1000}
          error={refused['new_password']}
        />
        <Group>
          <Button type="submit" loading={change.isPending}>
            {text.change}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
