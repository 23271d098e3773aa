import { scheduleRequest } from '@blog-content/payload-schemas';
import {
  conflict,
  parseBody,
  preconditionFailed,
  readId,
  readIfMatch,
  readPage,
  toPage,
  unprocessable,
} from '@blog-content/service-runtime';
import { Router } from 'express';
import { MAX_SCHEDULES } from '../../limits.ts';
import { callerOf } from '../../platform/http/caller.ts';
import { noBlog } from '../writing/blog-actions.ts';
import { isTooFarAhead } from '../publishing/schedule-change-store.ts';
import { showSchedule } from '../publishing/show-publish.ts';
import { SCHEDULE_POSITION, type ScheduleStore } from './schedule-store.ts';

export interface ScheduleRoutesDependencies {
  readonly schedules: Pick<ScheduleStore, 'set' | 'clear' | 'list'>;
  readonly clock: () => Date;
}

/** `/blogs/:blogId/schedule` and `/schedules`: for members of the project, not for agents. */
export function createScheduleRoutes({ schedules, clock }: ScheduleRoutesDependencies): Router {
  const routes = Router({ mergeParams: true });

  routes.put('/blogs/:blogId/schedule', async (req, res) => {
    const blogId = readId(req.params.blogId, 'post');
    const ifMatch = readIfMatch(req);
    const { publish_at: given } = parseBody(scheduleRequest, req.body);
    const { projectId, id: setBy } = callerOf(res);
    const publishAt = checkTime(new Date(given), clock());
    const set = await schedules.set({ projectId, blogId, publishAt, setBy }, ifMatch);
    if (set === 'not_found') throw noBlog();
    if (set === 'changed') throw preconditionFailed('post');
    if (set === 'too_many') throw conflict(`Limit reached: ${MAX_SCHEDULES} scheduled publishes per project.`);
    res.json(showSchedule(set));
  });

  routes.delete('/blogs/:blogId/schedule', async (req, res) => {
    if (!(await schedules.clear(callerOf(res).projectId, readId(req.params.blogId, 'post')))) throw noBlog();
    res.status(204).end();
  });

  routes.get('/schedules', async (req, res) => {
    const page = readPage(req.query, SCHEDULE_POSITION);
    res.json(toPage(await schedules.list(callerOf(res).projectId, page), page.limit, showSchedule));
  });
  return routes;
}

/** @throws a 422 problem for a time that has passed, or is too far ahead. */
function checkTime(publishAt: Date, now: Date): Date {
  if (publishAt <= now) throw wrongTime('must be in the future: to publish now, use publish');
  if (isTooFarAhead(publishAt, now)) throw wrongTime('must be at most two years ahead');
  return publishAt;
}

const wrongTime = (message: string) => unprocessable([{ field: 'publish_at', message }]);
