export default defineEventHandler((event) => blog.get(String(getQuery(event).slug)));
