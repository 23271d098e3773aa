/** The posts that this tab is saving, by id: news of their new versions is most likely its own. */
export const savesUnderWay = new Set<string>();
