import type { BrowserContext } from 'playwright-core';
import { openBrowser, startDashboard, type RunningDashboard } from './running-dashboard.ts';
import { tellOfAgents } from './stories/writing/agents.ts';
import { tellOfTheAccount } from './stories/people/account.ts';
import { tellOfApiAccess } from './stories/sites/api-access.ts';
import { tellOfTheAutopilot } from './stories/writing/autopilot.ts';
import { tellOfTheCalendar } from './stories/writing/calendar.ts';
import { tellOfTheDocs } from './stories/docs.ts';
import { tellOfTheEditor } from './stories/writing/editor.ts';
import { tellOfTheDeployHook } from './stories/sites/deploy-hook.ts';
import { tellOfEveryPage } from './stories/every-page.ts';
import { tellOfGenerating } from './stories/writing/generating.ts';
import { tellOfTheHomePage } from './stories/home.ts';
import { tellOfImages } from './stories/writing/images.ts';
import { tellOfImpatience } from './stories/impatience.ts';
import { tellOfImproving } from './stories/writing/improve.ts';
import { tellOfIndexNow } from './stories/sites/index-now.ts';
import { tellOfTheKeyboard } from './stories/keyboard.ts';
import { tellOfLinks } from './stories/people/links.ts';
import { tellOfTheMembers } from './stories/people/members.ts';
import { tellOfThePosts } from './stories/writing/posts.ts';
import { tellOfPublishing } from './stories/sites/publishing.ts';
import { tellOfRoles } from './stories/people/roles.ts';
import { tellOfTheSession } from './stories/people/session.ts';
import { tellOfTheSettings } from './stories/settings.ts';
import { tellOfTheTransfer } from './stories/writing/transfer.ts';
import { tellOfWebhooks } from './stories/sites/webhooks.ts';

/** One product for all stories: it takes longer to start than any of them. */
describe('the dashboard', () => {
  let dashboard: RunningDashboard;
  const consoles: string[][] = [];

  beforeAll(async () => {
    dashboard = await startDashboard();
  });

  afterAll(() => dashboard?.[Symbol.asyncDispose]());

  afterEach(() => {
    expect(consoles.flatMap((errors) => errors.splice(0))).toEqual([]);
  });

  const newBrowser = async (expected?: readonly RegExp[]): Promise<BrowserContext> => {
    const { context, errors } = await openBrowser(dashboard, expected);
    consoles.push(errors);
    return context;
  };
  const stories = { dashboard: () => dashboard, newBrowser };

  tellOfTheSession(stories);
  tellOfTheHomePage(stories);
  tellOfTheKeyboard(stories);
  tellOfLinks(stories);
  tellOfThePosts(stories);
  tellOfTheCalendar(stories);
  tellOfImages(stories);
  tellOfTheAutopilot(stories);
  tellOfAgents(stories);
  tellOfApiAccess(stories);
  tellOfTheEditor(stories);
  tellOfImproving(stories);
  tellOfGenerating(stories);
  tellOfPublishing(stories);
  tellOfWebhooks(stories);
  tellOfTheDeployHook(stories);
  tellOfIndexNow(stories);
  tellOfTheSettings(stories);
  tellOfTheMembers(stories);
  tellOfTheAccount(stories);
  tellOfTheTransfer(stories);
  tellOfImpatience(stories);
  tellOfRoles(stories);
  tellOfTheDocs(stories);
  tellOfEveryPage(stories);
});
