import {
  exportQuery,
  exportRequest,
  IMPORT_LIMITS,
  importQuery,
  type ExportRequest,
} from '@blog-content/payload-schemas';
import {
  conflict,
  notFound,
  operationalErrorOf,
  parseBody,
  parseQuery,
  payloadTooLarge,
  readId,
  readPage,
  toPage,
  unprocessable,
  unsupportedMediaType,
  untilClosed,
  queueLasting,
} from '@blog-content/service-runtime';
import express, { Router, type Request, type RequestHandler, type Response } from 'express';
import type { AuthorStore } from '../../authors/author-store.ts';
import { callerOf } from '../../platform/http/caller.ts';
import type { IdempotencyStore } from '../../platform/idempotency/idempotency-store.ts';
import { idempotent } from '../../platform/idempotency/idempotent.ts';
import type { ArchiveReader } from './archive/archive-reader.ts';
import { SEND_IN_PARTS } from './archive/open-archive.ts';
import { unpackPlan } from './archive/pack-plan.ts';
import type { SendExportDependencies } from './export/export-project.ts';
import { foreseeImport, slimFile, type SlimFile } from './import/foresee-import.ts';
import { withoutKnownAuthors } from './import/import-author.ts';
import { withoutKnownDataFields } from './import/import-data-fields.ts';
import type { PlannedFile } from './archive/planned-file.ts';
import type { DataFieldStore } from '../../data-fields/data-field-store.ts';
import { MAX_UNFINISHED_IMPORTS, type CountedImport, type ImportStore } from './import/import-store.ts';
import { showImport, showImportFile } from './import/show-import.ts';
import { writeReport } from './import/write-report.ts';

export interface TransferRoutesDependencies extends SendExportDependencies {
  readonly archives: Pick<ArchiveReader, 'plan'>;
  readonly authors: Pick<AuthorStore, 'all'>;
  readonly dataFields: Pick<DataFieldStore, 'find'>;
  readonly imports: Pick<ImportStore, 'find' | 'list' | 'listFiles' | 'standing' | 'knownImages'>;
  readonly importWorker: { readonly wake: () => void };
  readonly idempotency: IdempotencyStore<{ readonly imports: Pick<ImportStore, 'create'> }>;
}

const ZIP = 'application/zip';
/** Most archives that one process reads concurrently, each of which is in memory. */
const MAX_READ_AT_ONCE = 3;
/** More than an import has: posts and images, and a line for each kind of other files. */
const MAX_FILES_OF_IMPORT = 20_000;

/** `/imports` and `/export` of a project. */
export function createTransferRoutes(dependencies: TransferRoutesDependencies): Router {
  const { archives, authors, dataFields, imports, importWorker, idempotency, clock } = dependencies;
  const routes = Router({ mergeParams: true });

  const refusal = 'Another archive is being read.';
  const oneOfCaller = queueLasting((_request, response) => callerOf(response).id, { refusal });
  const oneOfProject = queueLasting((_request, response) => callerOf(response).projectId, {
    inAll: MAX_READ_AT_ONCE,
    refusal,
  });
  const readingArchive = [requireZip, oneOfCaller, oneOfProject, readArchive];
  routes.post('/imports/plan', ...readingArchive, async (req, res) => {
    const { publish, existing } = parseQuery(importQuery, req.query);
    const { projectId } = callerOf(res);
    const files: SlimFile[] = [];
    const now = clock();
    const plan = await archives.plan(projectId, bytesOf(req), now, untilClosed(res));
    for await (const file of await withoutKnown(projectId, unpackPlan(plan))) files.push(await slimFile(file));
    const named = files.filter((file) => file.kind === 'post');
    const hashes = files.flatMap((file) => (file.kind === 'image' ? [file.hash] : []));
    const posts = await imports.standing(projectId, named);
    const images = await imports.knownImages(projectId, hashes);
    const standing = { posts, images, authors: await authors.all(projectId), now };
    res.json(foreseeImport(files, { publish: publish === 'true', existing }, standing));
  });

  routes.post('/imports', ...readingArchive, async (req, res, next) => {
    const { publish, existing, images } = parseQuery(importQuery, req.query);
    const { projectId, id: requestedBy } = callerOf(res);
    // Before the transaction that makes it happen once: this may take its time, and that holds a connection.
    const plan = await archives.plan(projectId, bytesOf(req), clock(), untilClosed(res));
    res.once('finish', () => {
      importWorker.wake();
    });
    const handle = idempotent(idempotency, callerOf, async (_req, _res, stores) => {
      const request = {
        projectId,
        requestedBy,
        publish: publish === 'true',
        existing,
        hostImages: images === 'host',
      };
      const files = await withoutKnown(projectId, unpackPlan(plan));
      const made = await stores.imports.create(request, files);
      if (made === 'too_many') throw tooManyImports();
      if (made === 'no_project') throw notFound('Project not found.');
      res.locals.log['import_id'] = made.id;
      return { status: 202, headers: { Location: `${req.baseUrl}/imports/${made.id}` }, body: showImport(made) };
    });
    await handle(req, res, next);
  });

  routes.get('/imports', async (req, res) => {
    const page = readPage(req.query);
    res.json(toPage(await imports.list(callerOf(res).projectId, page), page.limit, showImport));
  });

  routes.get('/imports/:importId', async (req, res) => {
    res.json(showImport(await findImport(req, res)));
  });

  routes.get('/imports/:importId/files', async (req, res) => {
    const page = readPage(req.query, FILE_NUMBER);
    const { id, projectId } = await findImport(req, res);
    const files = await imports.listFiles(projectId, id, page);
    const positioned = files.map((file) => ({ ...file, position: String(file.number) }));
    res.json(toPage(positioned, page.limit, showImportFile));
  });

  routes.get('/imports/:importId/report', async (req, res) => {
    const job = await findImport(req, res);
    const files = await imports.listFiles(job.projectId, job.id, { from: null, limit: MAX_FILES_OF_IMPORT });
    res.set('Content-Disposition', `attachment; filename="import-report-${job.id.slice(0, 8)}.txt"`);
    res.type('text/plain').send(writeReport(job, files));
  });

  // Without making an archive that nobody gets.
  routes.head('/export', (_req, res) => {
    res.type(ZIP).end();
  });
  routes.get('/export', (req, res) => answerExport(req, res, null));
  routes.post('/export', (req, res) => answerExport(req, res, parseBody(exportRequest, req.body).webhooks));
  return routes;

  /** The files without what they describe of the project and it has already. */
  async function withoutKnown(projectId: string, files: AsyncIterable<PlannedFile>) {
    const { document: fields } = await dataFields.find(projectId);
    return withoutKnownDataFields(withoutKnownAuthors(files, await authors.all(projectId)), fields);
  }

  async function answerExport(req: Request, res: Response, webhooks: ExportRequest['webhooks'] | null): Promise<void> {
    const { format } = parseQuery(exportQuery, req.query);
    const { projectId, id: requestedBy } = callerOf(res);
    // Loaded with the first export, with what writes archives.
    const { sendExport } = await import('./export/export-project.ts');
    await sendExport(dependencies, { projectId, requestedBy, format, webhooks }, res);
  }

  async function findImport(req: Request, res: Response): Promise<CountedImport> {
    const found = await imports.find(callerOf(res).projectId, readId(req.params['importId'], 'import'));
    if (!found) throw notFound('Import not found.');
    return found;
  }
}

/** Fits the column. */
const FILE_NUMBER = /^\d{1,9}$/;

const requireZip: RequestHandler = (request, _response, next) => {
  if (request.is(ZIP) === false) {
    throw unsupportedMediaType(`Send a ZIP archive of Markdown or HTML files as Content-Type: ${ZIP}.`);
  }
  next();
};

const MEBIBYTE = 1024 * 1024;

const rawArchive = express.raw({ type: ZIP, limit: IMPORT_LIMITS.archiveBytes, inflate: false });

/** An export may be larger than what is imported in one go. */
const readArchive: RequestHandler = (request, response, next) => {
  void rawArchive(request, response, (error?: unknown) => {
    const isTooLarge = error !== undefined && operationalErrorOf(error)?.status === 413;
    const limit = `The archive exceeds ${IMPORT_LIMITS.archiveBytes / MEBIBYTE} MB`;
    next(isTooLarge ? payloadTooLarge(`${limit}: ${SEND_IN_PARTS}.`) : error);
  });
};

function bytesOf(request: Request): Buffer {
  const body: unknown = request.body;
  if (Buffer.isBuffer(body) && body.length > 0) return body;
  throw unprocessable([{ field: 'body', message: `is empty: send a ZIP archive as Content-Type: ${ZIP}` }]);
}

const tooManyImports = () =>
  conflict(`Limit reached: ${MAX_UNFINISHED_IMPORTS} running imports per project. Wait until one finishes.`);
