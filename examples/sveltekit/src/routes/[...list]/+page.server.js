import { error } from '@sveltejs/kit';
import { lists } from '#lib/server/blog.js';

export const entries = async () => (await lists()).map(({ url }) => ({ list: url.slice(1, -1) }));

export async function load({ url: { pathname } }) {
  const path = decodeURI(pathname);
  return (await lists()).find(({ url }) => url === path) ?? error(404, 'There is no such page.');
}
