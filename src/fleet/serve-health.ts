export const parseListen = (text: string) => text
export interface ServedHealth {
  listen: string
  health: () => { ok: boolean; body: object }
  metrics: () => Promise<{ text: string; contentType: string }>
}
export async function serveHealth(_: ServedHealth) {
  return { url: 'http://127.0.0.1', async close() {} }
}
