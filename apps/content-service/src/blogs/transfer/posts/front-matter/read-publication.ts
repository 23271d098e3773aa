import { isPublicationDate, MAX_PUBLICATION_YEARS_AHEAD, MIN_PUBLICATION_YEAR } from '@blog-content/payload-schemas';
import { flagOf, isEmpty, textOf, type FrontReader } from './front-reader.ts';
import { readDate } from './read-date.ts';
import type { FrontEntry } from './read-front-matter.ts';

/** What a file says of who may read its post, and since when. */
export interface Publication {
  /** Also where something of it is not understood: when in doubt, nothing becomes public. */
  readonly isDraft: boolean;
  /** In the future, too. */
  readonly date: Date | null;
}

export interface PublicationOfName {
  /** The date before the file's name. */
  readonly date: string | null;
  /** What of its path says that it is a draft. */
  readonly draftPlace: string | null;
}

/** True: the post is not for readers. By plain names; `draft: {…}` counts, too. */
const HIDING = new Set([
  ...[
    'draft',
    'drafts',
    'isdraft',
    'wip',
    'private',
    'isprivate',
    'unlisted',
    'isunlisted',
    'hidden',
    'ishidden',
    'hide',
  ],
  ...['invisible', 'secret', 'protected', 'password', 'passwordprotected', 'membersonly', 'subscribersonly', 'paid'],
  ...['premium', 'paywall', 'exclude', 'excluded', 'ignore', 'ignored', 'disabled', 'deleted', 'trashed', 'embargo'],
  ...['embargoed', 'unpublished', 'headless', 'hiddeninhomelist', 'eleventyexcludefromcollections'],
]);
const SEEMS_HIDING = /draft|unlisted|private|hidden|embargo|password|unpublish/;
/** False: the post is not for readers. */
const SHOWING = new Set([
  ...['published', 'ispublished', 'publish', 'public', 'ispublic', 'live', 'online', 'visible', 'listed', 'enabled'],
]);
const SEEMS_SHOWING =
  /publish|public|visible|listed|^(?:is)?(?:active|live|online|approved|ready|released|reviewed|final|done)$/;
/** A date in the future: the post is not for readers before. */
const SEEMS_AHEAD = /release|golive|livefrom|livedate|available|schedul|showfrom|notbefore/;
const STATUS = new Set([
  ...['status', 'state', 'poststatus', 'publishstatus', 'publicationstatus', 'editorialstatus', 'workflow', 'stage'],
]);
const PUBLISHED = new Set(['published', 'publish', 'public', 'live', 'online', 'posted']);
const SCHEDULED = new Set(['scheduled', 'future']);
const VISIBILITY = new Set(['visibility', 'access', 'accesslevel', 'audience']);
const FOR_ALL = new Set(['public', 'everyone', 'everybody', 'anyone', 'all', 'open', 'visible', 'listed', 'published']);
/** Hugo's options of what is built of a page. */
const BUILD = new Set(['build.list', 'build.render']);
const BUILT = new Set(['always', 'true', 'yes', 'on']);
const EXPIRY = new Set([
  ...['expirydate', 'expires', 'expireson', 'expiresat', 'expire', 'expiry', 'expiration', 'expirationdate'],
  ...['unpublishdate', 'unpublishon', 'unpublishat', 'unpublish', 'publishuntil', 'validuntil'],
]);
const SEEMS_EXPIRY = /expir/;
/** The ones before the others count. */
const PUBLISH_DATES = [
  ...['publishedat', 'publishdate', 'pubdate', 'publishedon', 'publisheddate', 'publicationdate', 'datepublished'],
  ...[
    'publishedtime',
    'publishtime',
    'publishat',
    'publishon',
    'published',
    'publish',
    'posted',
    'postedon',
    'postedat',
  ],
  ...['postdate', 'date', 'datetime'],
];
const CREATION_DATES = [
  'created',
  'createdat',
  'createdon',
  'createddate',
  'createdate',
  'creationdate',
  'datecreated',
];
/** Mappings whose keys may be the post's own. */
const OWN_MAPPINGS = /^(?:params|extra|meta|metadata|frontmatter|post|page|data|options|settings|<<)\./;

const NO_DATE = 'is not a readable date (use a format such as 2024-01-31T10:00:00Z)';

/** Reads it, with a note on each reason to keep the post a draft. */
export function readPublication(reader: FrontReader, ofName: PublicationOfName, now: Date): Publication {
  const reasons: string[] = [];
  const hold = (entry: FrontEntry, why = '') => {
    const { exportedState: state } = reader;
    const reason = entry.key === 'draft' && state !== null ? state : `${reader.quoted(entry)}${why && ` ${why}`}`;
    reasons.push(`Kept as a draft: ${reason}.`);
  };
  const { date, isAhead } = readDates(reader, ofName.date, now, reasons, hold);
  for (const [fullName, entry] of reader.entries) {
    const [name = ''] = BUILD.has(fullName) ? [fullName] : fullName.replace(OWN_MAPPINGS, '').split('.');
    const isNested = fullName.replace(OWN_MAPPINGS, '').includes('.') && !BUILD.has(fullName);
    const quote = reader.quoted(entry);
    const verdict = verdictOn(isNested ? { ...entry, value: null } : entry, { name, isNested, isAhead, now, quote });
    if (verdict === null) continue;
    reader.use(fullName);
    if ('why' in verdict) hold(entry, verdict.why);
    if ('note' in verdict) reader.notes.push(verdict.note);
  }
  if (ofName.draftPlace !== null) reasons.push(`Kept as a draft: ${ofName.draftPlace}.`);
  reader.notes.unshift(...reasons);
  return { isDraft: reasons.length > 0, date };
}

/** Why a post is to be a draft; a note; nothing against it; null for a key that says nothing of who may read it. */
type Verdict = { readonly why: string } | { readonly note: string } | Record<never, never> | null;
const FINE = {};

interface Circumstances {
  readonly name: string;
  /** Inside of a mapping that has a name that counts. */
  readonly isNested: boolean;
  /** Whether the post's date is in the future. */
  readonly isAhead: boolean;
  readonly now: Date;
  /** The entry as notes name it. */
  readonly quote: string;
}

function verdictOn(entry: FrontEntry, circumstances: Circumstances): Verdict {
  const { name, isNested, isAhead } = circumstances;
  const text = textOf(entry.value)?.trim().toLowerCase() ?? '';
  const flag = flagOf(entry);
  if (name === 'layout' || name === 'type') return text.includes('draft') ? { why: '' } : null;
  if (name === 'permalink') return flag === false && !isNested ? { why: '' } : null;
  if (BUILD.has(name)) return BUILT.has(text) ? FINE : { why: '' };
  if (EXPIRY.has(name)) return isEmpty(entry) && !isNested ? null : expiryVerdict(entry, circumstances);
  if (HIDING.has(name)) return hidingVerdict(entry, name, flag);
  if (SHOWING.has(name)) {
    if (flag === true) return FINE;
    if (flag === false) return { why: '' };
    const isDate = PUBLISH_DATES.includes(name) && readDate(text) !== null;
    return isDate ? null : { why: 'is neither true nor false' };
  }
  if (STATUS.has(name)) {
    if (PUBLISHED.has(text)) return FINE;
    if (!SCHEDULED.has(text)) return { why: '' };
    return isAhead ? FINE : { why: 'has no date in the future' };
  }
  if (VISIBILITY.has(name)) return FOR_ALL.has(text) ? FINE : { why: '' };
  return isNested || PUBLISH_DATES.includes(name) || isEmpty(entry) ? null : seemingVerdict(entry, flag, circumstances);
}

/** Of a key that is not known, by what its name has in it. */
function seemingVerdict(entry: FrontEntry, flag: boolean | null, circumstances: Circumstances): Verdict {
  const { name, now } = circumstances;
  if (SEEMS_EXPIRY.test(name)) return expiryVerdict(entry, circumstances);
  if (SEEMS_HIDING.test(name)) return hidingVerdict(entry, name, flag);
  if (SEEMS_AHEAD.test(name) && (readDate(textOf(entry.value) ?? '') ?? now) > now) return { why: 'is in the future' };
  return SEEMS_SHOWING.test(name) && flag === false ? { why: '' } : null;
}

function hidingVerdict(entry: FrontEntry, name: string, flag: boolean | null): Verdict {
  if (flag === false || (name.includes('password') && isEmpty(entry))) return FINE;
  return { why: flag === true || name.includes('password') ? '' : 'is neither true nor false' };
}

function expiryVerdict(entry: FrontEntry, { now, quote }: Circumstances): Verdict {
  if (flagOf(entry) === false) return FINE;
  const end = readDate(textOf(entry.value) ?? '');
  if (end === null) return { why: NO_DATE };
  return end <= now ? { why: 'is over' } : { note: `Not imported: ${quote}. Posts do not expire here.` };
}

function readDates(
  reader: FrontReader,
  dateOfName: string | null,
  now: Date,
  reasons: string[],
  hold: (entry: FrontEntry, why: string) => void,
): { readonly date: Date | null; readonly isAhead: boolean } {
  const read = (name: string) => {
    const entry = reader.entries.get(name);
    if (entry === undefined || isEmpty(entry)) return [];
    const date = typeof entry.value === 'string' ? readDate(entry.value) : null;
    // `published: true` is no date, and does not have to be one.
    if (date === null && SHOWING.has(name)) return [];
    return [{ name, entry, date }];
  };
  const given = PUBLISH_DATES.flatMap(read);
  const found = given.length > 0 ? given : CREATION_DATES.flatMap(read).slice(0, 1);
  const dates: { readonly name: string; readonly entry: FrontEntry; readonly date: Date }[] = [];
  for (const { name, entry, date } of found) {
    if (date !== null && isPublicationDate(date.toISOString())) dates.push({ name, entry, date });
    else {
      reader.use(name);
      hold(entry, date === null ? NO_DATE : OUT_OF_BOUNDS);
    }
  }
  // Not before the latest of them, as Hugo has it.
  const ahead = dates.filter(({ date }) => date > now).toSorted((a, b) => b.date.getTime() - a.date.getTime())[0];
  const chosen = ahead ?? dates[0];
  if (chosen !== undefined) {
    for (const { name, date } of dates) if (date.getTime() === chosen.date.getTime()) reader.use(name);
    if (ahead !== undefined) reader.notes.push(`${reader.quoted(ahead.entry)} is in the future: ${SCHEDULES}`);
    return { date: chosen.date, isAhead: ahead !== undefined };
  }
  if (dateOfName === null || found.length > 0) return { date: null, isAhead: false };
  const date = readDate(dateOfName);
  if (date === null || !isPublicationDate(date.toISOString())) {
    reasons.push(`Kept as a draft: the date in the file name, ${dateOfName}, ${date ? OUT_OF_BOUNDS : NO_DATE}.`);
    return { date: null, isAhead: false };
  }
  const isAhead = date > now;
  if (isAhead) reader.notes.push(`The date in the file name, ${dateOfName}, is in the future: ${SCHEDULES}`);
  return { date, isAhead };
}

const OUT_OF_BOUNDS = `is before ${MIN_PUBLICATION_YEAR} or more than ${MAX_PUBLICATION_YEARS_AHEAD} years ahead`;
const SCHEDULES = 'publishing schedules the post for then.';
