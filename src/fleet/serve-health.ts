export const parseListen = (text: string) => text
export async function serveHealth(_: {
  listen: string
  health: () => { ok: boolean; body: object }
  metrics: () => Promise<{ text: string; contentType: string }>
}) {
  return { url: 'http://127.0.0.1', async close() {} }
}
