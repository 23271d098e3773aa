import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { readHistorySearch } from '../pages/deploy-hook/search.ts';
import { readDeliveriesSearch } from '../parts/deliveries/log/search.ts';
import { readAutopilotSearch } from '../pages/autopilot/search.ts';
import { readCalendarSearch } from '../pages/calendar/month.ts';
import { readGenerateSearch } from '../pages/generate/search.ts';
import { readImagesSearch } from '../pages/images/search.ts';
import { readPostsSearch } from '../pages/posts/search.ts';
import { readPublishingSearch } from '../pages/publishing/search.ts';
import { readTenantsSearch } from '../pages/tenants/search.ts';
import { readWebhookSearch } from '../pages/webhook/search.ts';
import { Loading } from '../parts/loading.tsx';
import { SignOut } from '../session/sign-out.tsx';
import { Root } from './root.tsx';
import { Crashed, NotFound, NotFoundAlone } from './states.tsx';

/**
 * Every page of a project is a folder of `src/pages` whose `page.tsx` exports `Page`; its code is loaded when it is
 * opened.
 */
type LoadPage = () => Promise<{ Page: () => React.ReactNode }>;

const root = createRootRoute({ component: Root, notFoundComponent: NotFoundAlone, errorComponent: Crashed });

const topPage = <const Path extends string>(path: Path, load: LoadPage) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load, 'Page') });

/** Loaded apart: who signs in needs no menus. */
const layout = lazyRouteComponent(() => import('./project-layout.tsx'), 'ProjectLayout');
const project = createRoute({
  getParentRoute: () => root,
  path: '/projects/$projectId',
  component: layout,
  notFoundComponent: NotFound,
});

const page = <const Path extends string>(path: Path, load: LoadPage) =>
  createRoute({ getParentRoute: () => project, path, component: lazyRouteComponent(load, 'Page') });

/** The list's place is in its address, so that a reload and a link show the same. */
const posts = createRoute({
  getParentRoute: () => project,
  path: '/posts',
  validateSearch: readPostsSearch,
  component: lazyRouteComponent(() => import('../pages/posts/page.tsx'), 'Page'),
});

/** Without the shell: nothing competes with the text. */
const editor = createRoute({
  getParentRoute: () => project,
  path: '/posts/$blogId',
  staticData: { bare: true },
  component: lazyRouteComponent(() => import('../pages/editor/page.tsx'), 'Page'),
});

const generate = createRoute({
  getParentRoute: () => project,
  path: '/generate',
  validateSearch: readGenerateSearch,
  component: lazyRouteComponent(() => import('../pages/generate/page.tsx'), 'Page'),
});

const publishing = createRoute({
  getParentRoute: () => project,
  path: '/publishing',
  validateSearch: readPublishingSearch,
  component: lazyRouteComponent(() => import('../pages/publishing/page.tsx'), 'Page'),
});

const deliveries = createRoute({
  getParentRoute: () => project,
  path: '/webhooks/deliveries',
  validateSearch: readDeliveriesSearch,
  component: lazyRouteComponent(() => import('../pages/deliveries/page.tsx'), 'Page'),
});

const webhook = createRoute({
  getParentRoute: () => project,
  path: '/webhooks/$integrationId',
  validateSearch: readWebhookSearch,
  component: lazyRouteComponent(() => import('../pages/webhook/page.tsx'), 'Page'),
});

const images = createRoute({
  getParentRoute: () => project,
  path: '/images',
  validateSearch: readImagesSearch,
  component: lazyRouteComponent(() => import('../pages/images/page.tsx'), 'Page'),
});

const deployHook = createRoute({
  getParentRoute: () => project,
  path: '/deploy-hook',
  validateSearch: readHistorySearch,
  component: lazyRouteComponent(() => import('../pages/deploy-hook/page.tsx'), 'Page'),
});

const autopilot = createRoute({
  getParentRoute: () => project,
  path: '/autopilot',
  validateSearch: readAutopilotSearch,
  component: lazyRouteComponent(() => import('../pages/autopilot/page.tsx'), 'Page'),
});

const calendar = createRoute({
  getParentRoute: () => project,
  path: '/calendar',
  validateSearch: readCalendarSearch,
  component: lazyRouteComponent(() => import('../pages/calendar/page.tsx'), 'Page'),
});

/** For administrators. */
const tenants = createRoute({
  getParentRoute: () => root,
  path: '/tenants',
  validateSearch: readTenantsSearch,
  component: lazyRouteComponent(() => import('../pages/tenants/page.tsx'), 'Page'),
});

/** Not loaded apart: one signs out also when nothing can be loaded. */
const signOut = createRoute({ getParentRoute: () => root, path: '/sign-out', component: SignOut });

const routeTree = root.addChildren([
  topPage('/', () => import('../pages/start/page.tsx')),
  topPage('/new-project', () => import('../pages/new-project/page.tsx')),
  topPage('/account', () => import('../pages/account/page.tsx')),
  topPage('/invitation', () => import('../pages/invitation/page.tsx')),
  topPage('/forgotten-password', () => import('../pages/forgotten-password/page.tsx')),
  topPage('/password-reset', () => import('../pages/password-reset/page.tsx')),
  tenants,
  signOut,
  project.addChildren([
    page('/', () => import('../pages/home/page.tsx')),
    posts,
    editor,
    generate,
    calendar,
    images,
    autopilot,
    publishing,
    page('/publishing/$publishId', () => import('../pages/publish/page.tsx')),
    page('/webhooks', () => import('../pages/webhooks/page.tsx')),
    deliveries,
    page('/webhooks/deliveries/$deliveryId', () => import('../pages/delivery/page.tsx')),
    webhook,
    deployHook,
    page('/api-access', () => import('../pages/api-access/page.tsx')),
    page('/agents', () => import('../pages/agents/page.tsx')),
    page('/members', () => import('../pages/members/page.tsx')),
    page('/settings', () => import('../pages/settings/page.tsx')),
    page('/settings/model', () => import('../pages/settings/model/page.tsx')),
    page('/settings/voice', () => import('../pages/settings/voice/page.tsx')),
    page('/settings/authors', () => import('../pages/settings/authors/page.tsx')),
    page('/settings/data', () => import('../pages/settings/data/page.tsx')),
    page('/settings/danger', () => import('../pages/settings/danger/page.tsx')),
    page('/transfer', () => import('../pages/transfer/page.tsx')),
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: Crashed,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** Has the whole window, without the shell. */
    readonly bare?: true;
  }
  interface HistoryState {
    readonly signsOut?: true;
    /** Opens that dialog of the page. */
    readonly asksTo?: 'rotate';
  }
}
