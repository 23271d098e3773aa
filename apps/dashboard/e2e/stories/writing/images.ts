import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { eventually, openAs, violations } from '../../actions.ts';
import type { Stories } from '../stories.ts';

interface ListedImage {
  readonly items: readonly { readonly id: string; readonly url: string; readonly name: string; readonly alt: string }[];
}

const png = (background: string, width = 60, height = 40): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
/** One more than an image may have. */
const TOO_MANY_BYTES = 20 * 1024 * 1024 + 1;

/** The library: what gets into it, what is refused, and what deleting does. */
export function describeImages({ dashboard, newBrowser }: Stories): void {
  describe('the images', () => {
    let context: BrowserContext;
    let page: Page;
    let project: string;
    const api = () => dashboard().administrator.api;
    const stored = async () => (await api().get<ListedImage>(`projects/${project}/images`)).items;
    const choose = (files: { name: string; mimeType: string; buffer: Buffer }[]) =>
      page.locator('input[type=file]').first().setInputFiles(files);
    /** Bytes, or so many of them, which the browser makes. */
    const drop = async (files: readonly { readonly name: string; readonly bytes: readonly number[] | number }[]) => {
      const dataTransfer = await page.evaluateHandle((given) => {
        const transfer = new DataTransfer();
        for (const { name, bytes } of given) {
          const content = typeof bytes === 'number' ? new Uint8Array(bytes) : Uint8Array.from(bytes);
          transfer.items.add(new File([content], name, { type: 'image/png' }));
        }
        return transfer;
      }, files);
      await page.getByRole('list', { name: 'Images' }).dispatchEvent('drop', { dataTransfer });
    };
    const uploads = () => page.getByRole('region', { name: 'Uploads' });
    const open = async (name: string) => {
      await page.getByRole('button', { name: `Open “${name}”` }).click();
      return page.getByRole('dialog', { name, exact: true });
    };

    beforeAll(async () => {
      project = (await api().post<{ id: string }>('projects', { name: 'Album' })).id;
      context = await newBrowser([/status of (409|413|415|422) .*\/images/]);
      page = await openAs(context, dashboard().administrator, `/projects/${project}/images`);
    });

    afterAll(() => context?.close());

    it('are uploaded, and say how much of their room is taken', async () => {
      await page.getByRole('heading', { name: 'No images yet' }).waitFor();
      await page.getByText('0 of 20,000 images · 0 kB of 5 GB').waitFor();
      await choose([{ name: 'red.png', mimeType: 'image/png', buffer: await png('red') }]);
      await uploads().getByText('red.png added').waitFor();
      await page.getByRole('button', { name: 'Open “red.png”' }).waitFor();
      await page.getByText('1 of 20,000 images · 1 kB of 5 GB').waitFor();
      expect(await page.getByRole('progressbar', { name: 'Storage' }).count()).toBe(0);
    });

    it('are dropped onto the page, several together, and the page names one that is there already', async () => {
      const files = ['red', 'green', 'blue'].map(async (name) => ({
        name: `${name}.png`,
        bytes: [...(await png(name))],
      }));
      await drop(await Promise.all(files));
      await uploads().getByText('red.png already in your library').waitFor();
      await uploads().getByText('blue.png added').waitFor();
      await page.getByText('3 of 20,000 images').waitFor();
    });

    it('that are none, or too large, are refused in words, and cost the others nothing', async () => {
      await choose([
        { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: SVG },
        { name: 'called.png', mimeType: 'image/png', buffer: SVG },
        { name: 'white.png', mimeType: 'image/png', buffer: await png('white') },
      ]);
      for (const name of ['drawing.svg', 'called.png']) {
        await uploads().getByText(`${name} failed: The image must be PNG, JPEG, WebP, AVIF or GIF`).waitFor();
      }
      await drop([{ name: 'huge.png', bytes: TOO_MANY_BYTES }]);
      await uploads().getByText('huge.png failed: Images can be up to 20 MB.').waitFor();
      await uploads().getByText('white.png added').waitFor();
      await page.getByRole('button', { name: 'Clear list' }).click();
      await uploads().waitFor({ state: 'detached' });
    });

    it('get an alt text, and are found by it', async () => {
      const dialog = await open('green.png');
      await dialog.getByLabel('Alt text').fill('A lawn');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('searchbox', { name: 'Search' }).fill('lawn');
      await page.getByRole('button', { name: 'Open “red.png”' }).waitFor({ state: 'detached' });
      expect((await stored()).find(({ name }) => name === 'green.png')?.alt).toBe('A lawn');
      await page.getByRole('searchbox', { name: 'Search' }).fill('no such image');
      await page.getByRole('button', { name: 'Show all images' }).click();
    });

    it('are not deleted while readers see them, unless somebody who was told so says it again', async () => {
      const dialog = await open('red.png');
      await dialog.getByText('No post uses this image.').waitFor();
      const { url } = (await stored()).find(({ name }) => name === 'red.png')!;
      const content = `<p><img src="${url}" alt="Red"></p>`;
      const post = await api().post<{ id: string }>(`projects/${project}/blogs`, { title: 'In red', content });
      await api().post(`projects/${project}/blogs/${post.id}/publish`);

      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      const asked = page.getByRole('dialog', { name: 'Delete “red.png”?' });
      await asked.getByRole('button', { name: 'Delete image' }).click();
      await asked.getByText('A published post uses the image').waitFor();
      await asked.getByText('Readers see it in 1 published post,').waitFor();
      await asked.getByRole('button', { name: 'Cancel' }).click();
      expect(await dialog.getByRole('listitem').textContent()).toContain('In red: live');

      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await asked.getByRole('button', { name: 'Delete anyway' }).click();
      await page.getByRole('button', { name: 'Open “red.png”' }).waitFor({ state: 'detached' });
      await page.getByText('3 of 20,000 images').waitFor();
    });

    it('are picked for a post from the library or a new file, by the same dialog for hero and text', async () => {
      const post = await api().post<{ id: string }>(`projects/${project}/blogs`, {
        title: 'In green',
        content: '<p>A lawn.</p>',
      });
      const shown = () => api().get<{ featured_image_url: string | null }>(`projects/${project}/blogs/${post.id}`);
      await page.goto(`/projects/${project}/posts/${post.id}`);
      await page.locator('#post-content').getByText('A lawn.').waitFor();
      await page.getByRole('button', { name: 'Add feature image' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Add image' });
      await dialog.getByRole('tab', { name: 'Library' }).click();
      await dialog.getByRole('searchbox', { name: 'Search' }).fill('lawn');
      const tile = dialog.getByRole('button', { name: 'Choose “green.png”' });
      await tile.click();
      expect(await tile.getAttribute('aria-pressed')).toBe('true');
      expect(await dialog.getByRole('textbox', { name: 'Alt text' }).inputValue()).toBe('A lawn');
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Add image' }).click();
      await dialog.waitFor({ state: 'detached' });
      const { url } = (await stored()).find(({ name }) => name === 'green.png')!;
      await eventually(async () => expect((await shown()).featured_image_url).toBe(url));
    });

    it('are picked for shared links by the same dialog, and a small one is said to be', async () => {
      await page.getByText('Search engines', { exact: true }).click();
      await page.getByText('The image is 60 × 40 pixels. Large previews need 1200 × 630.').waitFor();
      await page.getByText('Sharing and indexing', { exact: true }).click();
      await page.getByRole('button', { name: 'Add image for sharing' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add image' });
      await dialog.getByRole('tab', { name: 'Upload' }).click();
      await dialog.locator('input[type=file]').setInputFiles({
        ...{ name: 'wide.png', mimeType: 'image/png', buffer: await png('teal', 1200, 630) },
      });
      await dialog.getByRole('textbox', { name: 'Alt text' }).fill('Teal');
      await dialog.getByRole('button', { name: 'Upload and add' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('The image is 60 × 40 pixels.').waitFor({ state: 'detached' });
      await page.locator('[data-save-state=saved]').waitFor();
      const { url } = (await stored()).find(({ name }) => name === 'wide.png')!;
      const shared = page.getByRole('group', { name: 'Preview when shared' });
      expect(await shared.getByRole('presentation').getAttribute('src')).toBe(url);
      expect(await violations(page)).toEqual([]);
    });
  });
}
