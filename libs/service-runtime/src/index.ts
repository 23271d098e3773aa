import './http/locals.ts';

export {
  baseEnvironment,
  commandEnvironment,
  eventLogConfigFrom,
  type EventLogSettings,
} from './config/base-environment.ts';
export type { KafkaSecurity } from './config/kafka-environment.ts';
export {
  ConfigError,
  describeConfig,
  fileVariableOf,
  loadConfig,
  type ConfigProblem,
  type Environment,
} from './config/load-config.ts';
export { isSecret, secret } from './config/secret-variable.ts';
export { booleanVariable, integerVariable, listVariable, urlVariable } from './config/variables.ts';
export { createLogger, redactText, type Logger, type LogLevel } from './log/logger.ts';
export { watchWrites, type WriteWatch } from './watch-writes.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { startTracing, type Tracing, type TracingOptions } from './tracing.ts';
export { createHttpApp, type HttpAppOptions } from './http/create-http-app.ts';
export { excessOfJson, isStorableText, jsonBody, storableBody, storableText } from './http/requests/json-body.ts';
export {
  badRequest,
  conflict,
  forbidden,
  notFound,
  OperationalError,
  payloadTooLarge,
  tooManyRequests,
  unauthorized,
  unprocessable,
  unsupportedMediaType,
  type FieldError,
  type OperationalErrorOptions,
} from './http/operational-error.ts';
export { isAborted, operationalErrorOf } from './http/operational-error-of.ts';
export { describeIssue } from './http/requests/describe-issue.ts';
export { parseBody } from './http/requests/parse-body.ts';
export { pathPattern, refuseFields, refuseOtherMethods } from './http/requests/operations.ts';
export {
  logDatabaseFault,
  logUnexpected,
  methodNotAllowed,
  internalErrorDetail,
  problemErrorHandler,
  problemNotFoundHandler,
  sendProblem,
} from './http/problem.ts';
export { createRequestObserver, type ObservedRequest, type ObserveRequest } from './http/observe-requests.ts';
export {
  accountOf,
  changesSomething,
  projectSuspended,
  requireAdministratorSession,
  requireOwnerSession,
  requireProjectMember,
  requireProjectOwner,
  sessionEnded,
  verifyOwner,
  type Account,
  type Member,
  type ProjectRole,
} from './http/access.ts';
export { createOperatorRouter } from './http/operator-router.ts';
export { createParkedEventRoutes } from './http/parked-event-routes.ts';
export { serveAdmin, type Readiness, type ServeAdminOptions } from './http/serve-admin.ts';
export { serveHttp, type HttpServer, type ServeHttpOptions } from './http/serve-http.ts';
export type { RefusalForm } from './http/connection-refusal.ts';
export { EXIT_CONFIG, runService, type ServiceContext } from './run-service.ts';
export {
  etagOf,
  parseQuery,
  preconditionFailed,
  readId,
  readIfMatch,
  readPage,
  toPage,
  type IfMatch,
  type Page,
} from './http/requests/read-parameters.ts';
export {
  isBusy,
  queueByAccount,
  queueByProject,
  queueByToken,
  queueLasting,
  queueRequests,
  READS,
  refuseWhenBusy,
  tryAgain,
  untilClosed,
} from './http/requests/queue-requests.ts';
export {
  createEventLogCounters,
  eventLogRemarks,
  observeEventLog,
  type EventLogCounters,
  type ObservedEventLog,
} from './observe-event-log.ts';
export { returnUnusedMemory } from './return-unused-memory.ts';
export { repeat, type Repetition } from './repeat.ts';
export { createRevokedSessionStore, type RevokedSessionStore } from './revoked-session-store.ts';
