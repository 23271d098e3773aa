import type { BrowserContext } from 'playwright-core';
import { openBrowser, startDashboard, type RunningDashboard } from './running-dashboard.ts';
import { describeAgents } from './stories/writing/agents.ts';
import { describeAccount } from './stories/people/account.ts';
import { describeApiAccess } from './stories/sites/api-access.ts';
import { describeAuthors } from './stories/people/authors.ts';
import { describeAutopilot } from './stories/writing/autopilot.ts';
import { describeBrandVoice } from './stories/brand-voice.ts';
import { describeCalendar } from './stories/writing/calendar.ts';
import { describeDataFields } from './stories/data-fields.ts';
import { describeDocs } from './stories/docs.ts';
import { describeEditor } from './stories/writing/editor.ts';
import { describeDataOfPosts } from './stories/post-data.ts';
import { describeDates } from './stories/writing/dates.ts';
import { describeDeployHook } from './stories/sites/deploy-hook.ts';
import { describeEveryPage } from './stories/every-page.ts';
import { describeFirstLoad } from './stories/first-load.ts';
import { describeGenerating } from './stories/writing/generating.ts';
import { describeHomePage } from './stories/home.ts';
import { describeImages } from './stories/writing/images.ts';
import { describeImpatience } from './stories/impatience.ts';
import { describeImproving } from './stories/writing/improve.ts';
import { describeIndexNow } from './stories/sites/index-now.ts';
import { describeKeyboard } from './stories/keyboard.ts';
import { describeLanguages } from './stories/languages.ts';
import { describeLinks } from './stories/people/links.ts';
import { describeMembers } from './stories/people/members.ts';
import { describePostAuthors } from './stories/people/post-authors.ts';
import { describePosts } from './stories/writing/posts.ts';
import { describeRenames } from './stories/writing/renames.ts';
import { describePublishing } from './stories/sites/publishing.ts';
import { describeRoles } from './stories/people/roles.ts';
import { describeSavedElsewhere } from './stories/writing/saved-elsewhere.ts';
import { describeSession } from './stories/people/session.ts';
import { describeShell } from './stories/shell.ts';
import { describeSettings } from './stories/settings.ts';
import { describeEditorPage } from './stories/writing/editor-page.ts';
import { describePublishSheet } from './stories/writing/publish-sheet.ts';
import { describeTenants } from './stories/people/tenants.ts';
import { describeText } from './stories/writing/text.ts';
import { describeTransfer } from './stories/writing/transfer.ts';
import { describeFailingWebhook } from './stories/sites/failing-webhook.ts';
import { describeWebhooks } from './stories/sites/webhooks.ts';

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

  describeFirstLoad();
  describeSession(stories);
  describeHomePage(stories);
  describeKeyboard(stories);
  describeShell(stories);
  describeLinks(stories);
  describePosts(stories);
  describeCalendar(stories);
  describeImages(stories);
  describeAutopilot(stories);
  describeAgents(stories);
  describeApiAccess(stories);
  describeEditor(stories);
  describeSavedElsewhere(stories);
  describeEditorPage(stories);
  describePublishSheet(stories);
  describeText(stories);
  describeLanguages(stories);
  describeRenames(stories);
  describeDates(stories);
  describePostAuthors(stories);
  describeImproving(stories);
  describeGenerating(stories);
  describePublishing(stories);
  describeWebhooks(stories);
  describeFailingWebhook(stories);
  describeDeployHook(stories);
  describeIndexNow(stories);
  describeSettings(stories);
  describeDataFields(stories);
  describeBrandVoice(stories);
  describeDataOfPosts(stories);
  describeMembers(stories);
  describeAuthors(stories);
  describeAccount(stories);
  describeTenants(stories);
  describeTransfer(stories);
  describeImpatience(stories);
  describeRoles(stories);
  describeDocs(stories);
  describeEveryPage(stories);
});
