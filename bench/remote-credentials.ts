/** Shared by the provider and the service of `npm run bench`, which are separate processes. */
export const SECRET_KEY = 'xnd_development_bench';
export const CALLBACK_TOKEN = 'token-of-the-bench';
