import { useMutation } from '@tanstack/react-query';
import { updateAutopilotTopic } from '../../../generated/sdk.gen.ts';
import type { AutopilotTopicItem, AutopilotTopicUpdateRequest } from '../../../generated/types.gen.ts';
import { FormDialog } from '../../../parts/dialogs/form-dialog.tsx';
import { errorsIn, fieldErrors } from '../../../parts/explain-error.ts';
import { formText } from '../../../parts/forms/form-text.ts';
import { Textarea, TextInput } from '../../../parts/forms/inputs.tsx';
import { notify } from '../../../parts/notify.ts';
import { useProject } from '../../../parts/project.tsx';
import { autopilot as text } from '../../../strings/writing/autopilot.ts';

export function EditDialog(props: { topic: AutopilotTopicItem; onSaved: () => Promise<unknown>; onClose: () => void }) {
  const { topic, onClose } = props;
  const { id: projectId } = useProject();
  const save = useMutation({
    mutationFn: async (body: AutopilotTopicUpdateRequest) => {
      await updateAutopilotTopic({ path: { projectId, topicId: topic.id }, body, throwOnError: true });
      await props.onSaved();
      notify.done(text.saved);
      onClose();
    },
  });
  const refused = save.error ? fieldErrors(save.error) : {};
  const submit = (form: FormData) => {
    const word = (name: string) => formText(form, name).trim();
    save.mutate({
      topic: word('topic'),
      keyword: word('keyword') || null,
      instructions: word('instructions') || null,
      sources: word('sources').split(/\s+/).filter(Boolean),
    });
  };
  return (
    <FormDialog title={text.editTitle} confirm={text.save} sending={save} onSubmit={submit} onClose={onClose}>
      <TextInput
        name="topic"
        label={text.topic}
        required
        maxLength={300}
        defaultValue={topic.topic}
        error={refused['topic']}
        data-autofocus
      />
      <TextInput
        name="keyword"
        label={text.keyword}
        placeholder={text.keywordHint}
        maxLength={300}
        defaultValue={topic.keyword ?? ''}
        error={refused['keyword']}
      />
      <Textarea
        name="instructions"
        label={text.instructions}
        placeholder={text.instructionsHint}
        autosize
        minRows={2}
        maxLength={4000}
        defaultValue={topic.instructions ?? ''}
        error={refused['instructions']}
      />
      <Textarea
        name="sources"
        label={text.sources}
        description={text.sourcesHint}
        autosize
        minRows={2}
        defaultValue={topic.sources.join('\n')}
        error={errorsIn('sources', refused, text.source)}
      />
    </FormDialog>
  );
}
