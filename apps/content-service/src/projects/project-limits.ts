/** Most projects that an account may be a member of when it makes one more. */
export const MAX_PROJECTS = 1_000;
/** Most members of a project. */
export const MAX_MEMBERS = 100;
