import { effectOf, type LifecycleEffect, lifecycleEvent } from './index.ts';

describe('what a lifecycle event does', () => {
  it('is decided for every event of the topic, in one place', () => {
    const effects = lifecycleEvent.options.map(({ shape }): [string, LifecycleEffect] => {
      const name = shape.event.value;
      return [name, effectOf(name)];
    });
    expect(Object.fromEntries(effects)).toEqual({
      'blog.published': 'shows',
      'blog.unpublished': 'hides',
      'blog.deleted': 'hides',
      'blog.slugs_changed': 'nothing',
    });
  });
});
