// What is run in a thread by its name: how long it takes goes by what an author has written.
export { portableContent } from './portable-content.ts';
