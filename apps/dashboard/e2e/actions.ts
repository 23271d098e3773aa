import { eventually as tryOften } from '@blog-content/testing';
import type axeCore from 'axe-core';
import { readFileSync } from 'node:fs';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { Person, RunningDashboard } from './running-dashboard.ts';

/** Fills in the form of the sign-in page or of the dialog that asks again. */
export async function signInAs(page: Page, { email, password }: Person): Promise<void> {
  const field = page.getByLabel('Email');
  await field.waitFor();
  if (await field.isEditable()) await field.fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Opens an address and signs in on the way, by the form. */
export async function openByForm(context: BrowserContext, person: Person, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(path);
  await signInAs(page, person);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** Opens an address in a browser where the person has signed in before: the form would be a page more to load. */
export async function openAs(context: BrowserContext, person: Person, path: string): Promise<Page> {
  const { email, password } = person;
  const answer = await context.request.post('/blog/api/v1/owner/session/browser', { data: { email, password } });
  if (!answer.ok()) throw new Error(`Nobody could sign in as ${email}: ${answer.status()}`);
  const page = await context.newPage();
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

/** Goes to a page of the app by its links: a full reload takes ten times as long. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    document.querySelector('h1')?.setAttribute('data-left', '');
    history.pushState(null, '', to);
  }, path);
  await page.locator('h1[data-left]').waitFor({ state: 'detached' });
  await settled(page);
}

/** Waits for the page’s heading, and until it has what it asked for. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const loading = page.getByLabel('Loading…').or(page.getByText('Loading…', { exact: true }));
  await tryOften(async () => {
    if ((await loading.count()) > 0) throw new Error('It is still loading.');
  });
}

/**
 * Clicks in the text of a post, and waits until the editor has taken up the caret: 20 ms after it gets the focus it
 * puts the caret where it last knew it. A timer of the page itself can't pass that one, however slow the page is.
 */
export async function clickInText(place: Locator, options?: { clickCount: number }): Promise<void> {
  await place.click(options);
  await place.page().evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  await untilDrawn(place.page());
}

/** Goes to the end of the line, and waits until the editor has taken up the caret. */
export async function pressEnd(page: Page): Promise<void> {
  await page.keyboard.press('End');
  await untilDrawn(page);
}

/** A busy browser draws, and tells the editor where the caret is, later. */
const untilDrawn = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** Each try is work for the browser or the services, and what a page does by itself takes it a second or two. */
export const eventually: typeof tryOften = (attempt, options) => tryOften(attempt, { intervalMs: 100, ...options });

/** Less than half of what axe’s module would give as its source. */
const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** What axe finds wrong, a line each. */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // To send, read and start it is work: once in a document is enough.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: typeof axeCore };
    // Previews are frames that run no script, axe’s neither.
    const { violations: found } = await axe.run(
      { exclude: ['iframe'] },
      { resultTypes: ['violations'], ...(only && { runOnly: { type: 'rule', values: [...only] } }) },
    );
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${String(target)} ${failureSummary}`),
    );
  }, rules);
}

/** What sticks out of the window at its right, outermost first; nothing where the page needs no sideways scrolling. */
export async function sticksOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    );
    return [`${scrollWidth} px`, ...wide.slice(0, 8).map((element) => element.outerHTML.slice(0, 160))];
  });
}

/** Axe finds nothing, in dark neither, and a phone’s width suffices. Leaves the page light and as wide as it was. */
export async function looksGood(page: Page): Promise<void> {
  const size = page.viewportSize()!;
  await settled(page);
  await eventually(async () => expect(await violations(page)).toEqual([]));
  await page.emulateMedia({ colorScheme: 'dark' });
  await eventually(async () => expect(await violations(page, ['color-contrast'])).toEqual([]));
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 360, height: size.height });
  await eventually(async () => expect(await sticksOut(page)).toEqual([]));
  await page.setViewportSize(size);
}

/** Ends all sessions of a person, as another program of theirs could. */
export async function signOutEverywhere({ local }: RunningDashboard, person: Person): Promise<void> {
  const owner = `${local.origin}/blog/api/v1/owner`;
  const answer = await fetch(`${owner}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  });
  const { token } = (await answer.json()) as { token: string };
  const ended = await fetch(`${owner}/account/sessions`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(ended.status).toBe(204);
}
