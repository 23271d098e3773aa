import type { ImportPlan } from '../../generated/types.gen.ts';
import { transfer as text } from '../../strings/transfer.ts';
import { countKinds } from './count-kinds.ts';

const file = (fields: Partial<ImportPlan['items'][number]>): ImportPlan['items'][number] => ({
  ...{ path: 'a', outcome: 'create', kind: null, title: null, slug: null },
  ...{ publish: false, publish_at: null, message: null },
  ...fields,
});
const post = file({ kind: 'post', title: 'Heather', slug: 'heather' });

describe('what an import makes', () => {
  it('is counted by what each file becomes, without what is skipped or fails', () => {
    const [author, image, fields] = (['author', 'image', 'data_fields'] as const).map((kind) => file({ kind }));
    const left = [file({ ...post, outcome: 'skip' }), file({ outcome: 'fail' }), file({ outcome: 'skip' })];
    const items = [post, file({ ...post, outcome: 'update' }), author!, image!, fields!, ...left];
    expect(countKinds(items)).toEqual({ post: 2, author: 1, image: 1, data_fields: 1 });
  });

  it('is said on the button', () => {
    const none = countKinds([]);
    expect(text.start({ ...none, post: 4, author: 3, image: 2 })).toBe('Import 4 posts, 3 authors and 2 images');
    expect(text.start({ ...none, post: 1, image: 1 })).toBe('Import 1 post and 1 image');
    expect(text.start({ ...none, author: 1 })).toBe('Import 1 author');
    expect(text.start({ ...none, post: 2, data_fields: 1 })).toBe('Import 2 posts and data fields');
    expect(text.start(none)).toBe('Import');
  });
});
