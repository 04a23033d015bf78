/** What the page of `vexil dev` runs in a browser: `live-script.ts`, bundled. */
export const liveScript: string
