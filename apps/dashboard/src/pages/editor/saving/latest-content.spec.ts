import { LatestContent } from './latest-content.ts';

describe('the latest content', () => {
  it('is what was written last, and once that is saved what the service keeps of it', () => {
    const content = new LatestContent('<p>a</p>');
    content.set(() => '<form>b</form>');
    expect(content.read()).toBe('<form>b</form>');
    content.save({ sent: '<form>b</form>', stored: '<div>b</div>' });
    expect(content.read()).toBe('<div>b</div>');
  });

  it('is not what was saved before: nothing takes the place of what is written on', () => {
    const content = new LatestContent('<p>a</p>');
    content.set(() => '<form>b</form>');
    content.set(() => '<form>b, and on</form>');
    content.save({ sent: '<form>b</form>', stored: '<div>b</div>' });
    expect(content.read()).toBe('<form>b, and on</form>');
    expect(content.saved().stored).toBe('<div>b</div>');
  });

  it('tells who looks at it that it was written, and that it was saved', () => {
    const content = new LatestContent('');
    let told = 0;
    const stop = content.subscribe(() => (told += 1));
    content.set(() => 'a');
    content.save({ sent: 'a', stored: 'a' });
    stop();
    content.set(() => 'b');
    expect(told).toBe(2);
  });
});
