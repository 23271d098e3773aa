import { eventHandlersIn, withoutEventHandlers } from './event-handlers.ts';

describe('event handlers in HTML', () => {
  it.each([
    ['<b onclick="x()">a</b>', '<b>a</b>', ['onclick']],
    ["<img alt='' onError = 'y(\"z\")' src=a.png>", "<img alt='' src=a.png>", ['onerror']],
    ['<p class="a" ONLOAD=x onblur>a</p>', '<p class="a" onblur>a</p>', ['onload']],
  ])('are taken out of their tags: %s', (html, without, names) => {
    expect(withoutEventHandlers(html)).toBe(without);
    expect(eventHandlersIn(html)).toEqual(names);
  });

  it.each([
    '<p title="click onclick=x() > there">a</p>',
    '<p title=\'an onclick="x"\'>a</p>',
    '<a href=https://a.example/one=1>only one=1 onclick="x"</a>',
    '<pre>&lt;b onclick="x()"&gt;</pre>',
    '<p title="unclosed onclick=x>',
  ])('are not what only looks like one: %s', (html) => {
    expect(withoutEventHandlers(html)).toBe(html);
    expect(eventHandlersIn(html)).toEqual([]);
  });
});
