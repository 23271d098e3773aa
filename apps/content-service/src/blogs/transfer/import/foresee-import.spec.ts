import { foreseeImport, slimFile, type SlimFile } from './foresee-import.ts';

const post = (slug: string, isDraft = false): SlimFile => ({
  kind: 'post',
  path: `${slug}.md`,
  slug,
  title: slug,
  isDraft,
  message: null,
});
const publish = { publish: true, existing: 'skip' } as const;

describe('what an import would do', () => {
  it('makes a post of a file whose slug is free, and publishes it unless it is a draft', () => {
    const plan = foreseeImport([post('tea'), post('coffee', true)], publish, new Map());
    expect(plan).toMatchObject({ create: 2, publish: 1, items: [{ publish: true }, { publish: false }] });
  });

  it('publishes nothing that it is not asked to', () => {
    expect(foreseeImport([post('tea')], { publish: false, existing: 'skip' }, new Map()).publish).toBe(0);
  });

  it('leaves a post alone that is there, or changes it where that is asked for', () => {
    const taken = new Map([['tea', 'blog']] as const);
    expect(foreseeImport([post('tea')], publish, taken)).toMatchObject({ skip: 1, publish: 0 });
    const update = foreseeImport([post('tea')], { publish: true, existing: 'update' }, taken);
    expect(update).toMatchObject({ update: 1, publish: 1, items: [{ outcome: 'update', title: 'tea' }] });
  });

  it('fails a file whose slug is held by what a blog has published', () => {
    expect(foreseeImport([post('tea')], publish, new Map([['tea', 'held']] as const))).toMatchObject({ fail: 1 });
  });

  it('counts an image as made, and keeps why other files are not imported', () => {
    const files = [
      slimFile({ path: 'images/a.png', status: 'waiting', post: { image: 'eA==', alt: '', name: '' } }),
      slimFile({ path: 'a.rst', status: 'skipped', message: 'Not imported.' }),
      slimFile({ path: 'b.md', status: 'failed', message: 'The file is damaged.' }),
    ];
    expect(foreseeImport(files, publish, new Map())).toMatchObject({
      create: 1,
      skip: 1,
      fail: 1,
      items: [{ message: null }, { message: 'Not imported.' }, { message: 'The file is damaged.' }],
    });
  });
});
