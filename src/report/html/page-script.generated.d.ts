/** What a report runs in a browser: `page/main.ts`, bundled. */
export const pageScript: string
