/** One with everything that some encoding writes otherwise. */
export const key = `phx_Law/0+"q\\u%41'z=Tail9`

/** The key as it is found wherever somebody looks for it; made here without the code that takes it out. */
const forms = [
  key,
  JSON.stringify(key).slice(1, -1),
  JSON.stringify(JSON.stringify(key)).slice(3, -3),
  encodeURIComponent(key),
  encodeURIComponent(encodeURIComponent(key)),
  Buffer.from(key).toString('base64').slice(0, -3),
  Buffer.from(`:${key}`).toString('base64').slice(2, -3),
  Array.from(key, each => `\\u00${each.charCodeAt(0).toString(16)}`).join(''),
].map(form => form.toLowerCase())

/** Those of the forms that a text has. */
export function formsIn(text: string): readonly string[] {
  const seen = text.toLowerCase()
  return forms.filter(form => seen.includes(form))
}
