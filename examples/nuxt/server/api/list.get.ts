export default defineEventHandler(async (event) => {
  const { path } = getQuery(event);
  return (await lists()).find((page) => page.path === path) ?? null;
});
