import { Button, Group, List, Text } from '@mantine/core';
import { common } from '../strings/common.ts';
import { Outcome } from './looks/outcome.tsx';
import { explainError } from './explain-error.ts';

/** An error of a call: what happened, which fields were refused, what to do, and a button where trying again helps. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, detail, todo, fields, mayPass } = explainError(error);
  return (
    <Outcome succeeded={false} title={title}>
      {detail !== null && <Text size="sm">{detail}</Text>}
      {fields.length > 0 && (
        <List size="sm" my="xs">
          {fields.map(({ field, message }) => (
            <List.Item key={`${field} ${message}`}>
              <b>{field}</b>: {message}
            </List.Item>
          ))}
        </List>
      )}
      <Text size="sm">{todo}</Text>
      {onRetry && mayPass && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={onRetry}>
            {common.retry}
          </Button>
        </Group>
      )}
    </Outcome>
  );
}

/** Why a query has failed, where it has. */
export function QueryProblem({ query }: { query: { error: unknown; refetch: () => Promise<unknown> } }) {
  const { error, refetch } = query;
  return error !== null && <Problem error={error} onRetry={() => void refetch()} />;
}
