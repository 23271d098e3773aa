import { Button, List, Text } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { common } from '../strings/common.ts';
import { problems } from '../strings/problems.ts';
import { Notice } from './looks/notice.tsx';
import { explainError, nameOf, unsaid, type Explanation, type FieldNames } from './explain-error.ts';
import { goTo, saidAtFields } from './focus/wrong-fields.ts';

/**
 * An error of a call: what happened, which fields were refused, what to do, and a button where trying again helps.
 *
 * In a form, whose call it then is, it says only what no field says, and leads to what is wrong: someone who pressed
 * the button at the end of a long form would see nothing of it.
 */
export function Problem({
  error,
  names,
  onRetry,
}: {
  error: unknown;
  names?: FieldNames | undefined;
  onRetry?: () => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState<{ of: unknown; words: readonly string[] }>({ of: null, words: [] });
  const problem = explainError(error);
  useLayoutEffect(() => {
    const form = place.current?.closest('form');
    if (!form) return;
    const { fields } = explainError(error);
    const atFields = saidAtFields(form);
    setSaid({ of: error, words: atFields.map(({ words }) => words) });
    // A field may say something else as well, such as a warning.
    goTo(atFields.find(({ words }) => unsaid(fields, [words]).length < fields.length)?.field ?? place.current);
  }, [error]);
  const left = unsaid(problem.fields, said.of === error ? said.words : []);
  const isPartly = left.length > 0 && left.length < problem.fields.length;
  return (
    <div ref={place} tabIndex={-1} hidden={problem.fields.length > 0 && left.length === 0}>
      <Said
        problem={
          problem.fields.length === 0
            ? problem
            : // Its sentence names the fields as the API does.
              { ...problem, detail: null, fields: left, ...(isPartly && { title: problems.someFields }) }
        }
        names={names}
        onRetry={onRetry}
      />
    </div>
  );
}

/** Why a query has failed, where it has. */
export function QueryProblem(props: {
  query: { error: unknown; refetch: () => Promise<unknown> };
  names?: FieldNames | undefined;
}) {
  const { error, refetch } = props.query;
  return error !== null && <Said problem={explainError(error)} names={props.names} onRetry={() => void refetch()} />;
}

function Said(props: { problem: Explanation; names: FieldNames | undefined; onRetry: (() => void) | undefined }) {
  const { names = {}, onRetry } = props;
  const { title, detail, todo, fields, mayPass } = props.problem;
  return (
    <Notice
      kind="danger"
      title={title}
      actions={
        onRetry &&
        mayPass && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {common.retry}
          </Button>
        )
      }
    >
      {detail !== null && <Text size="sm">{detail}</Text>}
      {fields.length > 0 && (
        <List size="sm" my="xs">
          {fields.map(({ field, message }) => (
            <List.Item key={`${field} ${message}`}>
              <b>{nameOf(field, names)}</b>: {message}
            </List.Item>
          ))}
        </List>
      )}
      <Text size="sm">{todo}</Text>
    </Notice>
  );
}
