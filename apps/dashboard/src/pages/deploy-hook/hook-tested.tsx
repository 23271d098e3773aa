import { Code, Text } from '@mantine/core';
import type { DeployHookTest } from '../../generated/types.gen.ts';
import { formatDuration } from '../../parts/deliveries/durations.ts';
import { Notice } from '../../parts/looks/notice.tsx';
import { Problem } from '../../parts/problem.tsx';
import { deployHook as text } from '../../strings/sites/deploy-hook.ts';
import type { useHookTest } from './use-hook-test.ts';

/** The result of a test. */
export function HookTested({ test }: { test: ReturnType<typeof useHookTest> }) {
  const { isPending, result, error } = test;
  return (
    <>
      <div role="status" style={{ display: isPending || result ? undefined : 'none' }}>
        {isPending && <Text size="sm">{text.testing}</Text>}
        {result && <Tested result={result} />}
      </div>
      {error && <Problem error={error} />}
    </>
  );
}

function Tested({ result: { succeeded, status_code, timings, answer, detail, hint } }: { result: DeployHookTest }) {
  return (
    <Notice
      role="group"
      kind={succeeded ? 'success' : 'warning'}
      title={succeeded ? text.testWorked(status_code) : text.testFailed}
    >
      {detail !== null && <Text size="sm">{detail}</Text>}
      {hint !== null && (
        <Text size="sm">
          <b>{text.hint}:</b> {hint}
        </Text>
      )}
      {timings && <Text size="sm">{text.took(formatDuration(timings.total_ms))}</Text>}
      {answer !== null && answer !== '' && (
        <>
          <Text size="sm">{text.answer}:</Text>
          <Code block tabIndex={0} role="region" aria-label={text.answer} style={{ whiteSpace: 'pre-wrap' }}>
            {answer}
          </Code>
        </>
      )}
    </Notice>
  );
}
