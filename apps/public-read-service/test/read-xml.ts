import pg from 'pg';

/** Reads XML with the parser of the test's PostgreSQL, which is strict. */
export interface XmlReader extends AsyncDisposable {
  isWellFormed(xml: string): Promise<boolean>;
  /** The items of an RSS feed. @throws when it is not well-formed */
  rssItems(xml: string): Promise<RssItem[]>;
  /** The texts that an XPath expression selects in a document with one namespace, which has the prefix `x`. */
  texts(xml: string, path: string, namespace?: string): Promise<string[]>;
}

export interface RssItem {
  readonly title: string | null;
  readonly link: string | null;
  readonly guid: string;
  readonly is_perma_link: string;
  readonly pub_date: string;
  readonly description: string | null;
  readonly content: string | null;
}

/** `databaseUrl`: any database of a server that was built with libxml. */
export async function createXmlReader(databaseUrl: string): Promise<XmlReader> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    async isWellFormed(xml) {
      const { rows } = await client.query<{ ok: boolean }>('SELECT xml_is_well_formed_document($1) AS ok', [xml]);
      return rows[0]?.ok === true;
    },
    async rssItems(xml) {
      const { rows } = await client.query<RssItem>(
        `SELECT item.* FROM XMLTABLE(
           XMLNAMESPACES('http://purl.org/rss/1.0/modules/content/' AS content),
           '/rss[@version="2.0"]/channel/item' PASSING XMLPARSE(DOCUMENT $1)
           COLUMNS title text, link text, guid text, is_perma_link text PATH 'guid/@isPermaLink',
             pub_date text PATH 'pubDate',
             description text, content text PATH 'content:encoded') AS item`,
        [xml],
      );
      return rows;
    },
    async texts(xml, path, namespace = 'urn:none') {
      const { rows } = await client.query<{ text: string }>(
        `SELECT found.text FROM XMLTABLE(XMLNAMESPACES(${pg.escapeLiteral(namespace)} AS x),
           ${pg.escapeLiteral(path)} PASSING XMLPARSE(DOCUMENT $1) COLUMNS text text PATH '.') AS found`,
        [xml],
      );
      return rows.map((row) => row.text);
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
